import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { log } from '../log.ts';
import { insertDue, openShop, testContext, until } from '../testing/callbacks.ts';
import { createTestDatabase, type TestDatabase } from '../testing/database.ts';
import { createMerchantFixture } from '../testing/factories.ts';
import { claimDue } from './claim.ts';
import { Pump } from './pump.ts';
import { resendCallback } from './resend.ts';

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
    const told = vi.spyOn(log(), 'error').mockImplementation(() => undefined);
    const clock = vi.spyOn(Date, 'now').mockImplementation(() => now() + aheadMs);
    const context = testContext(pool, { clock: () => new Date(Date.now()) });
    const wrong = new Pump(context);
    // The claim that it began with has ended.
    await wrong.stop(5_000);
    expect(await claimDue(pool, { now: new Date(now()), limit: 100 })).toHaveLength(5);
    expect(told).toHaveBeenCalledTimes(1);
    clock.mockRestore();
    await insertDue(pool, due);
    const right = new Pump(context);
    await until(() => shop.received.length > 0);
    await right.stop(5_000);
    // Each once: what the other holder has stays with it.
    expect(shop.received).toHaveLength(5);
    await context.sender.close();
    await shop.close();
  },
);
