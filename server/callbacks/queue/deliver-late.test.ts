import type pg from 'pg';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import {
  deliverOnce,
  insertDue,
  openShop,
  type Shop,
  testContext,
} from '../../testing/callbacks.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/database/database.ts';
import { createMerchantFixture } from '../../testing/factories.ts';
import { claimDue } from './claim.ts';
import { attempt, type DeliveryContext } from './deliver.ts';

// These attempts begin late, with little left of their lease.

const T0 = new Date('2026-11-21T12:00:00.000Z');

let database: TestDatabase;
let shop: Shop;
const closers: (() => Promise<void>)[] = [];

beforeEach(async () => {
  database = await createTestDatabase();
  shop = await openShop();
});

afterEach(async () => {
  vi.useRealTimers();
  for (const close of closers.splice(0)) await close();
  await shop.close();
  await database.drop();
});

async function due(count = 1): Promise<void> {
  const { id: merchantId } = await createMerchantFixture(database.pool);
  await insertDue(database.pool, { merchantId, url: shop.url, at: T0, count });
}

/** Delivers the due callbacks at T0 over this pool. */
async function deliver(
  pool: pg.Pool,
  change: (context: DeliveryContext) => void = () => undefined,
) {
  const context = testContext(pool, { clock: () => T0 });
  closers.push(() => context.sender.close());
  change(context);
  return await deliverOnce(context, { now: T0, limit: 100 });
}

/** The clock moves only when a test moves it. */
const stopTime = () => vi.useFakeTimers({ toFake: ['performance'] });
const pass = (ms: number) => vi.advanceTimersByTime(ms);

test('a claim that waited for long sends nothing, and the next one does', async () => {
  await due(2);
  stopTime();
  const { pool } = database;
  const connect = async () => {
    pass(10_000);
    const client = await pool.connect();
    pass(10_000);
    return client;
  };
  // The claim's connection is slow; the next ones come from the pool.
  const slow = new Proxy(pool, {
    get: (target, key) => (key === 'connect' ? connect : target.query.bind(target)),
  });
  expect(await deliver(slow)).toEqual({ attempted: 0, delivered: 0 });
  expect(shop.received).toHaveLength(0);
  expect(await deliver(pool)).toEqual({ attempted: 2, delivered: 2 });
});

test.each([
  [14_999, 1],
  [15_000, 0],
])('with keys that took %i ms to read, %i is sent', async (tookMs, sent) => {
  await due();
  stopTime();
  const outcome = await deliver(database.pool, (context) => {
    const { keysOf } = context.keys;
    context.keys.keysOf = (...asked) => {
      pass(tookMs);
      return keysOf(...asked);
    };
  });
  expect(outcome.attempted).toBe(sent);
  expect(shop.received).toHaveLength(sent);
});

test('nor is anything with keys that are known already, where a slot came late', async () => {
  await due();
  const context = testContext(database.pool, { clock: () => T0 });
  closers.push(() => context.sender.close());
  const [claimed] = await claimDue(database.pool, { now: T0, limit: 1 });
  if (!claimed) throw new Error('nothing was claimed');
  await context.keys.keysOf(claimed.merchantId, claimed.environment, T0);
  const isOver = { ...claimed, sendBeforeMs: performance.now() };
  expect(await attempt(context, isOver)).toBeNull();
  expect(shop.received).toHaveLength(0);
});
