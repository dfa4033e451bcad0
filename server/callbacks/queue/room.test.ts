import { afterEach, beforeEach, expect, test } from 'vitest';
import { planInOrder } from '../../db/index-plans.ts';
import { inTransaction } from '../../db/pool.ts';
import type { Environment } from '../../merchants/types.ts';
import { insertDue } from '../../testing/callbacks.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/database/database.ts';
import { createMerchantFixture } from '../../testing/factories.ts';
import { claimDue } from './claim.ts';
import { callbacksWaitingSince } from './outbox.ts';

const T0 = new Date('2026-11-21T12:00:00.000Z');
let database: TestDatabase;
let merchantId: string;

beforeEach(async () => {
  database = await createTestDatabase();
  ({ id: merchantId } = await createMerchantFixture(database.pool));
});
afterEach(() => database.drop());

async function due(environment: Environment, count: number, attemptCount = 0): Promise<void> {
  const { pool } = database;
  const ids = await insertDue(pool, { merchantId, environment, url: 'http://x/', at: T0, count });
  const tried = 'UPDATE callbacks SET attempt_count = $2 WHERE invoice_id = ANY ($1)';
  await pool.query(tried, [ids, attemptCount]);
}

const claim = async () => (await claimDue(database.pool, { now: T0, limit: 100 })).length;

const waitingSince = () =>
  inTransaction(database.pool, async (db) => {
    await planInOrder(db);
    return callbacksWaitingSince(db, { now: T0 });
  });

test('of retries alone so many are claimed that one request is left for a first attempt', async () => {
  await due('production', 20, 1);
  expect(await claim()).toBe(9);
  expect(await waitingSince()).toBeNull();
  await due('production', 2);
  expect(await waitingSince()).toEqual(T0);
  expect(await claim()).toBe(1);
  expect(await waitingSince()).toBeNull();
});

test('what waits for first attempts that take all room waits for no worker', async () => {
  await due('production', 10);
  expect(await claim()).toBe(10);
  await due('production', 1, 1);
  await due('sandbox', 1);
  expect(await claim()).toBe(0);
  expect(await waitingSince()).toBeNull();
});

test('nor does the sandbox’s where production’s retries take all but the room of first attempts', async () => {
  await due('production', 9, 1);
  expect(await claim()).toBe(9);
  await due('sandbox', 1);
  expect(await claim()).toBe(0);
  expect(await waitingSince()).toBeNull();
});
