import { afterEach, beforeEach, expect, test } from 'vitest';
import { insertDue, notificationOf, resultOf } from '../testing/callbacks.ts';
import { createTestDatabase, type TestDatabase } from '../testing/database/database.ts';
import { createMerchantFixture, type MerchantFixture } from '../testing/factories.ts';
import { claimDue } from './queue/claim.ts';
import { recordResults } from './queue/record.ts';
import { countFailedSince, resendCallback, resendFailedSince } from './resend.ts';

const T0 = new Date('2026-11-21T12:00:00.000Z');
const later = (ms: number) => new Date(T0.getTime() + ms);
const actor = { type: 'staff', id: 'usr_1', label: 'anna@shop.example' } as const;
let database: TestDatabase;
let merchant: MerchantFixture;

beforeEach(async () => {
  database = await createTestDatabase();
  merchant = await createMerchantFixture(database.pool);
});
afterEach(() => database.drop());

async function due(attemptCount = 0, delivered = false): Promise<string> {
  const { pool } = database;
  const callback = { merchantId: merchant.id, url: 'http://127.0.0.1:1/', at: T0 };
  const [id = ''] = await insertDue(pool, callback);
  await pool.query('UPDATE callbacks SET attempt_count = $2 WHERE invoice_id = $1', [
    id,
    attemptCount,
  ]);
  await pool.query(
    `INSERT INTO callback_attempts (callback_id, number, started_at, duration_ms, delivered, trigger)
     SELECT $1, n, $3, 1, $4, 'schedule' FROM generate_series(1, $2::int) n`,
    [notificationOf(id), attemptCount, T0.toISOString(), delivered],
  );
  return id;
}

async function read(id: string) {
  const { rows } = await database.pool.query(
    'SELECT next_attempt_at, next_trigger FROM callbacks WHERE invoice_id = $1',
    [id],
  );
  return rows[0];
}

const resend = (id: string, now = later(1_000)) =>
  resendCallback(database.pool, merchant.sandbox.tenant, id, { actor, now });
const failed = () => ({ actor, since: T0, now: later(1_000) });

test('one whose first attempt is due keeps its place before all resends; one that was tried does not', async () => {
  const [first, tried] = [await due(), await due(1)];
  expect([await resend(first), await resend(tried)]).toEqual(['queued', 'queued']);
  expect(await read(first)).toEqual({ next_attempt_at: T0, next_trigger: 'schedule' });
  expect(await read(tried)).toEqual({ next_attempt_at: later(1_000), next_trigger: 'resend' });
});

test('one whose worker has died is sent again as soon as its lease is over', async () => {
  const id = await due(1);
  await claimDue(database.pool, { now: T0, limit: 1 });
  expect(await resend(id, later(29_999))).toBe('in_flight');
  expect(await resend(id, later(30_000))).toBe('queued');
});

test('one whose attempt has failed is sent again at once, though a lease lists it still', async () => {
  const id = await due(1);
  const [claimed] = await claimDue(database.pool, { now: T0, limit: 1 });
  if (!claimed) throw new Error('nothing was claimed');
  const failed = { state: 'pending', httpStatus: 500, reason: 'answered 500, not 200' } as const;
  await recordResults(database.pool, [resultOf(claimed, later(500), failed)]);
  expect(await resend(id)).toBe('queued');
});

test('of those that failed, none of the other environment is sent again', async () => {
  await due(1);
  const { tenant } = merchant.production;
  expect(await resendFailedSince(database.pool, tenant, failed())).toEqual({ queued: 0 });
});

test('of those that failed, what is being sent is neither sent again nor counted', async () => {
  const id = await due(1);
  const { pool } = database;
  const { tenant } = merchant.sandbox;
  await claimDue(pool, { now: T0, limit: 1 });
  expect(await countFailedSince(pool, tenant, failed())).toEqual({ hosts: [], isWhole: true });
  expect(await resendFailedSince(pool, tenant, failed())).toEqual({ queued: 0 });
  expect(await read(id)).toMatchObject({ next_attempt_at: T0 });
});

test('one that was delivered and is to be sent once more is none of those that failed', async () => {
  await due(1, true);
  const { tenant } = merchant.sandbox;
  expect(await resendFailedSince(database.pool, tenant, failed())).toEqual({ queued: 0 });
});
