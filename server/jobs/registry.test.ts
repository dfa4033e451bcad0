import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { claimDue } from '../callbacks/queue/claim.ts';
import { newId } from '../lib/ids.ts';
import { log } from '../observability/log.ts';
import { openAttempt } from '../payments/mutations.ts';
import { insertDue } from '../testing/callbacks.ts';
import { createTestDatabase, type TestDatabase } from '../testing/database/database.ts';
import { createMerchantFixture, type MerchantFixture } from '../testing/factories.ts';
import { createTestInvoice } from '../testing/invoices.ts';
import { JOBS, type Job } from './registry.ts';

const HOUR_MS = 3_600_000;
let database: TestDatabase;
let merchant: MerchantFixture;

beforeAll(async () => {
  database = await createTestDatabase();
  merchant = await createMerchantFixture(database.pool);
});
afterEach(() => {
  vi.restoreAllMocks();
});
afterAll(() => database.drop());

/** Runs a job at `now`, with this process's own clock this far ahead of the database's. */
async function run(id: Job['id'], { now, aheadMs }: { now: Date; aheadMs: number }) {
  const realNow = Date.now.bind(Date);
  const clock = vi.spyOn(Date, 'now').mockImplementation(() => realNow() + aheadMs);
  const job = JOBS.find((each) => each.id === id);
  const result = await job?.run({ db: database.pool, now, clock: () => now, limit: 10 });
  clock.mockRestore();
  return result;
}

test('the sweep looks often enough for an invoice to be EXPIRED within a second of its end date', () => {
  const job = JOBS.find(({ id }) => id === 'expireDueInvoices');
  expect(job?.everyMs).toBeLessThanOrEqual(500);
});

test('a process whose clock is wrong expires nothing until it is right again', async () => {
  const created = new Date();
  const endDateMs = created.getTime() + HOUR_MS;
  await createTestInvoice(database.pool, merchant.sandbox.tenant, { now: created, endDateMs });
  const now = new Date(endDateMs + 1);
  vi.spyOn(log(), 'error').mockImplementation(() => undefined);
  for (const aheadMs of [2 * HOUR_MS, -2 * HOUR_MS]) {
    expect(await run('expireDueInvoices', { now, aheadMs })).toEqual({ count: 0 });
  }
  expect(await run('expireDueInvoices', { now, aheadMs: 0 })).toEqual({ count: 1 });
});

test('a process whose clock is ahead deletes no lease of the others', async () => {
  const { pool } = database;
  const created = new Date();
  const url = 'http://127.0.0.1:1/';
  await insertDue(pool, { merchantId: merchant.id, url, at: created });
  expect(await claimDue(pool, { now: created, limit: 1 })).toHaveLength(1);
  vi.spyOn(log(), 'error').mockImplementation(() => undefined);
  const now = new Date(created.getTime() + HOUR_MS);
  expect(await run('cleanUpLeases', { now, aheadMs: HOUR_MS })).toEqual({ count: 0 });
  expect(await run('cleanUpLeases', { now, aheadMs: 0 })).toEqual({ count: 1 });
});

/** An attempt abandoned after a minute. */
async function leaveAttempt(provider: string, created: Date): Promise<void> {
  const { pool } = database;
  const endDateMs = created.getTime() + HOUR_MS;
  const invoiceId = await createTestInvoice(pool, merchant.sandbox.tenant, {
    now: created,
    endDateMs,
  });
  const card = { provider, cardBrand: 'visa', cardLast4: '4242' } as const;
  await openAttempt(pool, { id: newId('pay', created.getTime()), invoiceId, ...card }, created);
}

test('a process whose clock is ahead takes up no payment', async () => {
  const created = new Date();
  await leaveAttempt('sandbox', created);
  vi.spyOn(log(), 'error').mockImplementation(() => undefined);
  const now = new Date(created.getTime() + 60_000);
  expect(await run('recoverPayments', { now, aheadMs: HOUR_MS })).toEqual({ count: 0 });
  expect(await run('recoverPayments', { now, aheadMs: 0 })).toEqual({ count: 1 });
});

test('a payment that could not be recovered was taken all the same', async () => {
  const created = new Date();
  await leaveAttempt('sandbox', created);
  await leaveAttempt('gone', created);
  const errors = vi.spyOn(log(), 'error').mockImplementation(() => undefined);
  const now = new Date(created.getTime() + 60_000);
  expect(await run('recoverPayments', { now, aheadMs: 0 })).toEqual({ count: 2 });
  expect(errors).toHaveBeenCalledTimes(1);
});
