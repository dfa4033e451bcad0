import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../testing/database/database.ts';
import { createMerchantFixture, type MerchantFixture } from '../testing/factories.ts';
import { createTestInvoice } from '../testing/invoices.ts';
import { insertAttempt } from '../testing/payments.ts';
import { takeRecoverable } from './rechecks.ts';
import type { AttemptStatus } from './types.ts';

// The attempts that a look of recovery takes, and their order.

const NOW = new Date('2026-11-21T12:00:00.000Z');
const SECOND = 1_000;
const HOUR = 3_600_000;
let database: TestDatabase;
let merchant: MerchantFixture;

beforeAll(async () => {
  database = await createTestDatabase();
  merchant = await createMerchantFixture(database.pool);
});
beforeEach(() => database.pool.query('UPDATE payment_attempts SET recover_at = NULL'));
afterAll(() => database.drop());

/** Opens an attempt whose next look is this far away; returns its id. */
async function insert(status: AttemptStatus, afterMs: number): Promise<string> {
  const { pool } = database;
  const invoiceId = await createTestInvoice(pool, merchant.sandbox.tenant, { now: NOW });
  const recoverAt = new Date(NOW.getTime() + afterMs);
  return insertAttempt(pool, { invoiceId, status, updatedAt: NOW, recoverAt });
}

const take = (limit = 50) => takeRecoverable(database.pool, { now: NOW, limit });

/** The time to the next look at each. */
async function looksOf(...ids: string[]): Promise<number[]> {
  const { rows } = await database.pool.query<{ id: string; recover_at: Date }>(
    'SELECT id, recover_at FROM payment_attempts WHERE id = ANY ($1)',
    [ids],
  );
  const looks = new Map(rows.map((row) => [row.id, row.recover_at.getTime() - NOW.getTime()]));
  return ids.map((id) => looks.get(id) ?? Number.NaN);
}

test.each<[AttemptStatus, number]>([
  ['authorising', 15 * SECOND],
  ['challenge', 15 * SECOND],
  ['capturing', 15 * SECOND],
  ['voiding', 15 * SECOND],
  // All their times come from the clock that was ahead.
  ['failed', HOUR],
  ['abandoned', HOUR],
])('%s, to be looked at in an hour by a clock that was ahead: in %d ms', async (status, lookMs) => {
  const id = await insert(status, HOUR);
  expect(await take()).toEqual([]);
  expect(await looksOf(id)).toEqual([lookMs]);
});

test('what a clock that is some seconds ahead has left for the next minute stays', async () => {
  const id = await insert('challenge', 65 * SECOND);
  await take();
  expect(await looksOf(id)).toEqual([65 * SECOND]);
});

test('of what a clock ahead has left a look corrects no more than it takes, and waits for no row', async () => {
  const ids: string[] = [];
  while (ids.length < 4) ids.push(await insert('challenge', HOUR));
  const holder = await database.pool.connect();
  await holder.query('BEGIN');
  await holder.query('SELECT FROM payment_attempts WHERE id = $1 FOR UPDATE', [ids[0]]);
  const corrected = async () => (await looksOf(...ids)).filter((ms) => ms < HOUR).length;
  const counts: number[] = [];
  // A waiter for the row waits for this test.
  for (let look = 0; look < 3; look++) {
    await take(2);
    counts.push(await corrected());
  }
  await holder.query('ROLLBACK');
  holder.release();
  expect(counts).toEqual([2, 3, 3]);
});

test.each(['capturing', 'authorising'] as const)(
  '%s: those that have waited longest come first, from their time on',
  async (status) => {
    const tooEarly = await insert(status, 1);
    const due: string[] = [];
    for (const afterMs of [0, -SECOND, -2 * SECOND]) due.unshift(await insert(status, afterMs));
    for (const id of due) expect(await take(1)).toEqual([id]);
    expect(await take()).toEqual([]);
    expect(await looksOf(tooEarly)).toEqual([1]);
  },
);

test('what one look has taken no other takes before its lease is over', async () => {
  const ids = [await insert('capturing', 0), await insert('authorising', 0)];
  const taken = (await Promise.all([take(), take(), take(), take()])).flat();
  expect(taken.sort()).toEqual([...ids].sort());
  expect(await looksOf(...ids)).toEqual([10 * SECOND, 10 * SECOND]);
});
