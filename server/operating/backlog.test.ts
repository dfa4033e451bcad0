import { afterEach, beforeEach, expect, it } from 'vitest';
import { claimDue } from '../callbacks/queue/claim.ts';
import { insertDue } from '../testing/callbacks.ts';
import { createTestDatabase, type TestDatabase } from '../testing/database/database.ts';
import { createMerchantFixture, type MerchantFixture } from '../testing/factories.ts';
import { createTestInvoice } from '../testing/invoices.ts';
import { insertAttempt } from '../testing/payments.ts';
import { listFailedRecoveries, listPendingCaptures, readBacklog } from './backlog.ts';

const NOW = new Date('2026-11-21T12:00:00.000Z');
const HOUR_MS = 3_600_000;
const HOUR_BEFORE = new Date(NOW.getTime() - HOUR_MS);
const COUNTED_TO = 1_000;

let database: TestDatabase;
let merchant: MerchantFixture;
beforeEach(async () => {
  database = await createTestDatabase();
  merchant = await createMerchantFixture(database.pool);
});
afterEach(() => database.drop());

const due = (count: number) =>
  insertDue(database.pool, { merchantId: merchant.id, url: 'http://x/', at: HOUR_BEFORE, count });

/** Gives each callback its own merchant, in order: `mer_z0001` and so on. */
async function spread(): Promise<void> {
  const name = "'mer_z' || lpad(n::text, 4, '0')";
  await database.pool.query(
    `INSERT INTO merchants SELECT (jsonb_populate_record(m, jsonb_build_object('id', ${name}))).*
     FROM merchants m, generate_series(1, (SELECT count(*) FROM callbacks)) n`,
  );
  await database.pool.query(
    `UPDATE callbacks c SET merchant_id = ${name} FROM (
       SELECT invoice_id, row_number() OVER (ORDER BY invoice_id) AS n FROM callbacks) numbered
     WHERE numbered.invoice_id = c.invoice_id`,
  );
}

it('knows the last of more merchants than are counted', async () => {
  const last = (await due(COUNTED_TO + 1)).toSorted().at(-1);
  await spread();
  await database.pool.query(
    `UPDATE callbacks SET next_attempt_at = $1::timestamptz + interval '1 hour', created_at = $1
     WHERE invoice_id <> $2`,
    [NOW.toISOString(), last],
  );
  expect(await readBacklog(database.pool, NOW)).toMatchObject({
    callbacksDue: 1,
    callbacksDueIsMore: false,
    callbackLagMs: HOUR_MS,
    oldestUndeliveredMs: HOUR_MS,
    oldestUndelivered: { invoiceId: last, merchantId: 'mer_z1001' },
  });
});

it('counts what is due, and takes for undelivered what is still tried', async () => {
  const [delivered = '', toCome = '', isDue = ''] = await due(3);
  const { pool } = database;
  const change = (id: string, state: string, at: Date) =>
    pool.query(
      `UPDATE callbacks SET state = $2::callback_state, next_attempt_at = $3,
         created_at = created_at - CASE WHEN $2 = 'delivered' THEN interval '1 hour' ELSE '0' END
       WHERE invoice_id = $1`,
      [id, state, at.toISOString()],
    );
  await change(delivered, 'delivered', HOUR_BEFORE);
  await change(toCome, 'pending', new Date(NOW.getTime() + 1));
  await pool.query('UPDATE callbacks SET created_at = $2 WHERE invoice_id = $1', [
    toCome,
    NOW.toISOString(),
  ]);
  expect(await readBacklog(pool, NOW)).toMatchObject({
    callbacksDue: 1,
    oldestUndeliveredMs: HOUR_MS,
    oldestUndelivered: { invoiceId: isDue },
  });
});

it('says so where it counts no further, among one’s callbacks and among merchants', async () => {
  await due(COUNTED_TO - 1);
  const few = { callbacksDue: COUNTED_TO - 1, callbacksDueIsMore: false };
  expect(await readBacklog(database.pool, NOW)).toMatchObject(few);
  await due(2);
  const more = { callbacksDue: COUNTED_TO, callbacksDueIsMore: true };
  expect(await readBacklog(database.pool, NOW)).toMatchObject(more);
  await spread();
  expect(await readBacklog(database.pool, NOW)).toMatchObject(more);
});

it('counts no further than so many of all merchants together', async () => {
  await due(20 * COUNTED_TO + 500);
  await database.pool.query(
    `INSERT INTO merchants SELECT (jsonb_populate_record(m, jsonb_build_object('id', 'mer_z' || n))).*
     FROM merchants m, generate_series(0, 24) n`,
  );
  await database.pool.query(
    `UPDATE callbacks c SET merchant_id = 'mer_z' || n % 25 FROM (
       SELECT invoice_id, row_number() OVER () AS n FROM callbacks) numbered
     WHERE numbered.invoice_id = c.invoice_id`,
  );
  const most = { callbacksDue: 20 * COUNTED_TO, callbacksDueIsMore: true };
  expect(await readBacklog(database.pool, NOW)).toMatchObject(most);
});

it('one’s callbacks are counted to one bound, in whatever queues they are', async () => {
  await due(COUNTED_TO - 1);
  await database.pool.query(
    `UPDATE callbacks c SET environment = 'production', attempt_count = n % 2, next_trigger = CASE
         WHEN n % 3 = 0 THEN 'resend' ELSE next_trigger END
     FROM (SELECT invoice_id, row_number() OVER () AS n FROM callbacks) numbered
     WHERE numbered.invoice_id = c.invoice_id AND n % 5 > 0`,
  );
  const few = { callbacksDue: COUNTED_TO - 1, callbacksDueIsMore: false };
  expect(await readBacklog(database.pool, NOW)).toMatchObject(few);
  await due(2);
  const more = { callbacksDue: COUNTED_TO, callbacksDueIsMore: true };
  expect(await readBacklog(database.pool, NOW)).toMatchObject(more);
});

it('what waits for its own merchant’s requests is not late, until their leases end', async () => {
  const { pool } = database;
  const at = new Date(NOW.getTime() - 90_000);
  const url = 'http://x/';
  await insertDue(pool, { merchantId: merchant.id, environment: 'sandbox', url, at, count: 8 });
  expect(await readBacklog(pool, NOW)).toMatchObject({ callbackLagMs: 90_000 });
  expect(await claimDue(pool, { now: NOW, limit: 100 })).toHaveLength(5);
  expect(await readBacklog(pool, NOW)).toMatchObject({ callbacksDue: 8, callbackLagMs: 0 });
  const other = await createMerchantFixture(pool);
  await insertDue(pool, { merchantId: other.id, url, at: new Date(NOW.getTime() - 7_000) });
  expect(await readBacklog(pool, NOW)).toMatchObject({ callbackLagMs: 7_000 });
  const later = new Date(NOW.getTime() + 31_000);
  expect(await readBacklog(pool, later)).toMatchObject({ callbackLagMs: 121_000 });
});

it('an invoice past its end is overdue until a capture holds it, whose outcome it waits for', async () => {
  const { pool } = database;
  const now = new Date(NOW.getTime() - 2 * HOUR_MS);
  const endedFor = (ms: number) =>
    createTestInvoice(pool, merchant.sandbox.tenant, { now, endDateMs: NOW.getTime() - ms });
  const held = await endedFor(HOUR_MS);
  await endedFor(60_000);
  expect(await readBacklog(pool, NOW)).toMatchObject({ overdueInvoices: 2, expiryLagMs: HOUR_MS });
  const capture = (where: string) =>
    pool.query(`UPDATE invoices SET capture_attempt_id = 'pay_x' WHERE ${where}`);
  await capture(`id = '${held}'`);
  expect(await readBacklog(pool, NOW)).toMatchObject({ overdueInvoices: 1, expiryLagMs: 60_000 });
  await capture('true');
  expect(await readBacklog(pool, NOW)).toMatchObject({ overdueInvoices: 0, expiryLagMs: 0 });
});

it.each([
  ['voiding', 2],
  ['failed', 12],
  ['abandoned', 12],
  ['challenge', 17],
] as const)(
  'a payment in the state %s is stuck after %i minutes without a change',
  async (status, minutes) => {
    const { pool } = database;
    const unchangedFor = async (ms: number) => {
      const invoiceId = await createTestInvoice(pool, merchant.sandbox.tenant, { now: NOW });
      const updatedAt = new Date(NOW.getTime() - ms);
      await insertAttempt(pool, { invoiceId, status, updatedAt, recoverAt: NOW });
      return invoiceId;
    };
    await unchangedFor(minutes * 60_000);
    const stuck = await unchangedFor(minutes * 60_000 + 1);
    const failed = await listFailedRecoveries(pool, { now: NOW, limit: 5 });
    expect(failed.map(({ invoiceId }) => invoiceId)).toEqual([stuck]);
  },
);

it('a capture that the acquirer has accepted is listed from an hour on, the oldest first', async () => {
  const { pool } = database;
  const captureOf = async (paidMs: number, answeredMs = 30_000, status = 'capturing') => {
    const invoiceId = await createTestInvoice(pool, merchant.sandbox.tenant, { now: NOW });
    const before = (ms: number) => new Date(NOW.getTime() - ms);
    const times = { updatedAt: before(paidMs), recoverAt: before(-30_000) };
    const id = await insertAttempt(pool, { invoiceId, status: 'capturing', ...times });
    await pool.query(
      'UPDATE payment_attempts SET status = $2::attempt_status, updated_at = $3 WHERE id = $1',
      [id, status, before(answeredMs)],
    );
    return id;
  };
  await captureOf(HOUR_MS - 1);
  await captureOf(3 * HOUR_MS, 30_000, 'captured');
  const young = await captureOf(HOUR_MS);
  const old = await captureOf(50 * HOUR_MS);
  const silent = await captureOf(60 * HOUR_MS, 3 * 60_000);
  const pending = await listPendingCaptures(pool, { now: NOW, limit: 5 });
  expect(pending).toMatchObject([
    { attemptId: old, sinceMs: NOW.getTime() - 50 * HOUR_MS, merchantId: merchant.id },
    { attemptId: young, sinceMs: NOW.getTime() - HOUR_MS },
  ]);
  // An acquirer that does not answer is another problem.
  const failed = await listFailedRecoveries(pool, { now: NOW, limit: 5 });
  expect(failed.map(({ attemptId }) => attemptId)).toEqual([silent]);
});
