import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import {
  deliverOnce,
  insertDue,
  notificationOf,
  openShop,
  type Shop,
  testContext,
  until,
} from '../../testing/callbacks.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/database/database.ts';
import { createMerchantFixture } from '../../testing/factories.ts';
import { HeldCallbacks } from '../queue/held-callbacks.ts';
import { Pump } from '../queue/pump.ts';
import type { Sender } from './send.ts';

let database: TestDatabase;
let shop: Shop;
let merchantId: string;

beforeEach(async () => {
  database = await createTestDatabase();
  shop = await openShop();
  ({ id: merchantId } = await createMerchantFixture(database.pool));
});

afterEach(async () => {
  await shop.close();
  await database.drop();
});

const due = async (at: Date) =>
  (await insertDue(database.pool, { merchantId, url: shop.url, at }))[0] ?? '';

/** A callback whose result the database rejects: its attempt's number already exists. */
async function dueUnrecordable(at: Date): Promise<string> {
  const id = await due(at);
  await database.pool.query(
    `INSERT INTO callback_attempts (callback_id, number, started_at, duration_ms, delivered, trigger, reason)
     VALUES ($1, 1, $2, 1, false, 'schedule', 'none')`,
    [notificationOf(id), at],
  );
  return id;
}

async function stateOf(id: string): Promise<unknown> {
  const { rows } = await database.pool.query('SELECT state FROM callbacks WHERE invoice_id = $1', [
    id,
  ]);
  return rows[0]?.state;
}

const requestsFor = (id: string) =>
  shop.received.filter(({ body }) => JSON.parse(String(body)).invoice_id === id).length;

test('a pump leaves what the database refuses to its lease, and does not send it at once again', async () => {
  const refused = await dueUnrecordable(new Date());
  const context = testContext(database.pool);
  const pump = new Pump(context);
  try {
    await until(() => context.errors.length === 1);
    // Each of these is due after it, so a claim that takes one would take it first.
    for (let look = 0; look < 3; look++) {
      const id = await due(new Date());
      pump.wake();
      await until(async () => (await stateOf(id)) === 'delivered');
    }
  } finally {
    await pump.stop(2_000);
    await context.sender.close();
  }
  expect(shop.received).toHaveLength(4);
  expect(requestsFor(refused)).toBe(1);
  expect(await stateOf(refused)).toBe('pending');
  // Another worker does not claim it either, though this one has ended.
  const { rows } = await database.pool.query(
    'SELECT FROM callback_leases WHERE $1 = ANY (callback_ids)',
    [notificationOf(refused)],
  );
  expect(rows).toHaveLength(1);
});

test("a job's run leaves it to its lease as well", async () => {
  const now = new Date('2026-11-21T12:00:00.000Z');
  const refused = await dueUnrecordable(now);
  const context = testContext(database.pool, { clock: () => now });
  const runAt = (at: Date) => deliverOnce(context, { now: at, limit: 10 });
  expect((await runAt(now)).attempted).toBe(1);
  expect(context.errors).toMatchObject([{ code: '23505' }]);
  expect((await runAt(now)).attempted).toBe(0);
  expect(requestsFor(refused)).toBe(1);
  expect((await runAt(new Date(now.getTime() + 30_000))).attempted).toBe(1);
  await context.sender.close();
});

test('a pump sends it again when that lease has ended', async () => {
  const { refused } = HeldCallbacks.prototype;
  const againMs: number[] = [];
  const ended = vi.spyOn(HeldCallbacks.prototype, 'refused').mockImplementation(function (
    this: HeldCallbacks,
    named,
    lease,
  ) {
    againMs.push(lease.againMs);
    refused.call(this, named, { againMs: 0 });
  });
  const id = await dueUnrecordable(new Date());
  const context = testContext(database.pool);
  const pump = new Pump(context);
  try {
    await until(() => requestsFor(id) >= 2);
  } finally {
    await pump.stop(2_000);
    await context.sender.close();
    ended.mockRestore();
  }
  expect(againMs[0]).toBe(30_000);
});

test('an attempt that a fault of our own has ended is made anew', async () => {
  const id = await due(new Date());
  const context = testContext(database.pool);
  let begun = 0;
  const send: Sender['send'] = (...args) => {
    begun += 1;
    return begun === 1 ? Promise.reject(new Error('our own')) : context.sender.send(...args);
  };
  const pump = new Pump({ ...context, sender: { ...context.sender, send } });
  try {
    await until(async () => (await stateOf(id)) === 'delivered');
  } finally {
    await pump.stop(2_000);
    await context.sender.close();
  }
  expect(context.errors).toMatchObject([{ message: 'our own' }]);
  expect(begun).toBe(2);
});
