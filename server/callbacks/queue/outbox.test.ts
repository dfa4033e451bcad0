import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { inTransaction } from '../../db/pool.ts';
import { insertDue, notificationOf } from '../../testing/callbacks.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/database/database.ts';
import { createMerchantFixture, type MerchantFixture } from '../../testing/factories.ts';
import { resendCallback } from '../resend.ts';
import { findUnrelayed, markRelayed } from './outbox.ts';

const T0 = new Date('2026-11-21T12:00:00.000Z');
const later = (ms: number) => new Date(T0.getTime() + ms);

let database: TestDatabase;
let merchant: MerchantFixture;
let invoiceId: string;
let id: string;

beforeAll(async () => {
  database = await createTestDatabase();
});
beforeEach(async () => {
  await database.pool.query('TRUNCATE callbacks, callback_attempts');
  merchant = await createMerchantFixture(database.pool);
  const due = { merchantId: merchant.id, url: 'http://127.0.0.1:1/', at: T0 };
  [invoiceId = ''] = await insertDue(database.pool, due);
  id = notificationOf(invoiceId);
  // This is its second attempt: a due first attempt stays unchanged by a resend.
  await database.pool.query('UPDATE callbacks SET attempt_count = 1');
});
afterAll(() => database.drop());

const unrelayed = () => findUnrelayed(database.pool, { limit: 10 });

async function resend(now: Date) {
  const actor = { type: 'operator', id: null, label: 'gateway command' } as const;
  const { tenant } = merchant.sandbox;
  expect(await resendCallback(database.pool, tenant, invoiceId, { actor, now })).toBe('queued');
}

test('a resend is announced, though the attempt before it was', async () => {
  await markRelayed(database.pool, await unrelayed(), { now: later(1) });
  expect(await unrelayed()).toEqual([]);
  await resend(later(1_000));
  expect(await unrelayed()).toEqual([{ id, nextAttemptAt: later(1_000) }]);
});

test('so is one that came while the attempt before it was being announced', async () => {
  const announced = await unrelayed();
  expect(announced).toEqual([{ id, nextAttemptAt: T0 }]);
  await resend(later(1_000));
  await markRelayed(database.pool, announced, { now: later(1_001) });
  expect(await unrelayed()).toEqual([{ id, nextAttemptAt: later(1_000) }]);
});

test('it waits for no row that somebody holds, who may wait for one of its own', async () => {
  const due = { merchantId: merchant.id, url: 'http://127.0.0.1:1/', at: later(1) };
  await insertDue(database.pool, due);
  const announced = await unrelayed();
  const [held] = announced;
  expect(announced).toHaveLength(2);
  await inTransaction(database.pool, async (db) => {
    await db.query('SELECT FROM callbacks WHERE id = $1 FOR UPDATE', [held?.id]);
    await markRelayed(database.pool, announced, { now: later(2) });
  });
  expect(await unrelayed()).toEqual([held]);
});

test('one that needs no attempt any more is not announced', async () => {
  const ended = `UPDATE callbacks SET state = 'delivered', next_attempt_at = $1`;
  await database.pool.query(ended, [later(1).toISOString()]);
  expect(await unrelayed()).toEqual([]);
});
