import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { log } from '../log.ts';
import { createTestDatabase, type TestDatabase } from '../testing/database.ts';
import { createMerchantFixture } from '../testing/factories.ts';
import { createTestInvoice } from '../testing/invoices.ts';
import { JOBS } from './registry.ts';

const HOUR_MS = 3_600_000;
let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

test('a process whose clock is ahead expires nothing until it is right again, and tells both', async () => {
  const { pool } = database;
  const merchant = await createMerchantFixture(pool);
  const created = new Date();
  const endDateMs = created.getTime() + HOUR_MS;
  await createTestInvoice(pool, merchant.sandbox.tenant, { now: created, endDateMs });
  const job = JOBS.find(({ id }) => id === 'expireDueInvoices');
  const late = new Date(endDateMs + 1);
  const run = () => job?.run({ db: pool, now: late, clock: () => late, limit: 10 });
  const begins = vi.spyOn(log(), 'error').mockImplementation(() => undefined);
  const ends = vi.spyOn(log(), 'warn').mockImplementation(() => undefined);
  const now = Date.now.bind(Date);
  const clock = vi.spyOn(Date, 'now').mockImplementation(() => now() + 2 * HOUR_MS);
  expect(await run()).toEqual({ count: 0 });
  expect(await run()).toEqual({ count: 0 });
  expect(begins).toHaveBeenCalledTimes(1);
  expect(ends).not.toHaveBeenCalled();
  // Behind, it is only late.
  clock.mockImplementation(() => now() - 2 * HOUR_MS);
  expect(await run()).toEqual({ count: 1 });
  expect(begins).toHaveBeenCalledTimes(1);
  expect(ends).toHaveBeenCalledTimes(1);
  vi.restoreAllMocks();
});
