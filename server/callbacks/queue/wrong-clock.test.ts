import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { cancelInvoice } from '../../invoices/cancel.ts';
import { insertDue, openShop, testContext, until } from '../../testing/callbacks.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/database/database.ts';
import { createMerchantFixture } from '../../testing/factories.ts';
import { createTestInvoice } from '../../testing/invoices.ts';
import { resendCallback, resendFailedSince } from '../resend.ts';
import { claimDue } from './claim.ts';
import { Pump } from './pump.ts';

const HOUR_MS = 3_600_000;
const NOW = new Date('2026-11-21T12:00:00.000Z');
const TOMORROW = new Date('2026-11-22T12:00:00.000Z');
const ACTOR = { type: 'staff', id: null, label: 'staff@example.com' } as const;

let database: TestDatabase;
beforeEach(async () => {
  database = await createTestDatabase();
});
afterEach(async () => {
  vi.restoreAllMocks();
  await database.drop();
});

/** Acts as if each had failed once. */
async function failAll(at: Date): Promise<void> {
  await database.pool.query(
    `INSERT INTO callback_attempts (callback_id, number, started_at, duration_ms, delivered, trigger)
     SELECT id, 1, $1, 5, false, 'schedule' FROM callbacks`,
    [at],
  );
}

test('what a worker claimed whose clock was a day ahead is free for the others', async () => {
  const { pool } = database;
  const { id: merchantId, sandbox } = await createMerchantFixture(pool);
  await insertDue(pool, { merchantId, url: 'http://127.0.0.1:1/', at: NOW, count: 5 });
  const ahead = await claimDue(pool, { now: TOMORROW, limit: 100 });
  const first = ahead[0]?.invoiceId ?? '';
  expect(ahead).toHaveLength(5);
  const resend = () => resendCallback(pool, sandbox.tenant, first, { actor: ACTOR, now: NOW });
  expect(await resend()).toBe('queued');
  expect(await claimDue(pool, { now: NOW, limit: 100 })).toHaveLength(5);
  expect(await claimDue(pool, { now: NOW, limit: 100 })).toHaveLength(0);
  expect(await resend()).toBe('in_flight');
});

test('a resend that has gone on for minutes still leaves alone what is in flight', async () => {
  const { pool } = database;
  const { id: merchantId, sandbox } = await createMerchantFixture(pool);
  const due = { merchantId, url: 'http://127.0.0.1:1/', at: NOW } as const;
  await insertDue(pool, due);
  const minutesLater = new Date(NOW.getTime() + 120_000);
  expect(await claimDue(pool, { now: minutesLater, limit: 10 })).toHaveLength(1);
  // It begins with a set of younger ones.
  await insertDue(pool, { ...due, at: minutesLater, count: 1_000 });
  await failAll(NOW);
  const clock = vi.fn(() => 120_000).mockReturnValueOnce(0);
  const asked = { since: NOW, actor: ACTOR, now: NOW };
  const resent = await resendFailedSince(pool, sandbox.tenant, asked, { clock });
  expect(resent).toEqual({ queued: 1_000 });
});

test('what a web whose clock is an hour ahead ends is told at once', async () => {
  const { pool } = database;
  const { tenant } = (await createMerchantFixture(pool)).production;
  const now = new Date();
  const endDateMs = now.getTime() + 2 * HOUR_MS;
  const id = await createTestInvoice(pool, tenant, { now, endDateMs });
  const ahead = new Date(now.getTime() + HOUR_MS);
  await cancelInvoice(pool, tenant, id, { actor: { type: 'api' }, now: ahead });
  // A callback due for only a fraction of a millisecond is claimed as well.
  const claimed = await claimDue(pool, { now: new Date(Date.now() + 1), limit: 10 });
  expect(claimed.map(({ invoiceId }) => invoiceId)).toEqual([id]);
});

test.each([
  ['ahead', HOUR_MS],
  ['behind', -HOUR_MS],
])(
  'a worker whose clock is an hour %s claims nothing until it is right again',
  async (_, aheadMs) => {
    const { pool } = database;
    const { id: merchantId } = await createMerchantFixture(pool);
    const shop = await openShop();
    const now = Date.now.bind(Date);
    const due = {
      merchantId,
      environment: 'production',
      url: shop.url,
      at: new Date(now() - 2 * HOUR_MS),
      count: 5,
    } as const;
    await insertDue(pool, due);
    const clock = vi.spyOn(Date, 'now').mockImplementation(() => now() + aheadMs);
    const context = testContext(pool, { clock: () => new Date(Date.now()) });
    const wrong = new Pump(context);
    // The pump's first claim has ended.
    await wrong.stop(5_000);
    expect(await claimDue(pool, { now: new Date(now()), limit: 100 })).toHaveLength(5);
    clock.mockRestore();
    await insertDue(pool, due);
    const right = new Pump(context);
    await until(() => shop.received.length > 0);
    await right.stop(5_000);
    // Each arrives once: the other holder keeps its own.
    expect(shop.received).toHaveLength(5);
    await context.sender.close();
    await shop.close();
  },
);
