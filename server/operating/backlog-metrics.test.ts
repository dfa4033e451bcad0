import { afterEach, beforeEach, expect, test } from 'vitest';
import { TRIES_WINDOW_MS } from '../payments/card-testing.ts';
import { payInvoice } from '../payments/pay.ts';
import { type SandboxOutcome, testCardFor } from '../payments/providers/sandbox/test-cards.ts';
import { connectMulticard } from '../testing/acquirers/multicard-account.ts';
import { insertDue } from '../testing/callbacks.ts';
import { createTestDatabase, type TestDatabase } from '../testing/database/database.ts';
import { createMerchantFixture } from '../testing/factories.ts';
import { createTestInvoice } from '../testing/invoices.ts';
import { cardWith, insertAttempt } from '../testing/payments.ts';
import { renderBacklog, renderProcesses } from './backlog-metrics.ts';

const NOW = new Date('2026-11-21T12:00:00.000Z');
const HOUR_BEFORE = new Date(NOW.getTime() - 3_600_000);
let database: TestDatabase;

beforeEach(async () => {
  database = await createTestDatabase();
});
afterEach(() => database.drop());

async function callbacksDue(now: Date): Promise<string | undefined> {
  const text = await renderBacklog(database.pool, now);
  return /^gateway_callbacks_due (\d+)$/m.exec(text)?.[1];
}

test('asks once in five seconds, and at once when the clock was set back', async () => {
  expect(await callbacksDue(NOW)).toBe('0');
  const { id: merchantId } = await createMerchantFixture(database.pool);
  const due = { merchantId, url: 'http://localhost:1/', at: HOUR_BEFORE };
  await insertDue(database.pool, due);
  expect(await callbacksDue(new Date(NOW.getTime() + 4_999))).toBe('0');
  expect(await callbacksDue(HOUR_BEFORE)).toBe('1');
  await insertDue(database.pool, due);
  expect(await callbacksDue(new Date(HOUR_BEFORE.getTime() + 4_999))).toBe('1');
  expect(await callbacksDue(new Date(HOUR_BEFORE.getTime() + 5_000))).toBe('2');
});

test('a transaction that somebody has left open is told, and none that has ended', async () => {
  const { pool } = database;
  const snapshot = async (now: Date) => {
    const text = await renderBacklog(pool, now);
    return Number(/^gateway_oldest_snapshot_seconds (\S+)$/m.exec(text)?.[1]);
  };
  const dump = await pool.connect();
  await dump.query('BEGIN ISOLATION LEVEL REPEATABLE READ');
  await dump.query('SELECT count(*) FROM merchants');
  await dump.query('SELECT pg_sleep(0.3)');
  expect(await snapshot(new Date(NOW.getTime() + 60_000))).toBeGreaterThanOrEqual(0.3);
  await dump.query('ROLLBACK');
  expect(await snapshot(new Date(NOW.getTime() + 120_000))).toBeLessThan(0.3);
  // It has no snapshot between its statements, and yet claims wait for it.
  await dump.query('BEGIN');
  await dump.query('SELECT txid_current()');
  await dump.query('SELECT pg_sleep(0.3)');
  expect(await snapshot(new Date(NOW.getTime() + 180_000))).toBeGreaterThanOrEqual(0.3);
  await dump.query('ROLLBACK');
  dump.release();
});

test('a merchant is named while its buyers have many more cards declined than paid', async () => {
  const { pool } = database;
  const now = new Date(NOW.getTime() + 12 * 3_600_000);
  const [many, few] = [await createMerchantFixture(pool), await createMerchantFixture(pool)];
  const endDateMs = now.getTime() + 3_600_000;
  const pay = async ({ sandbox }: typeof many, outcome: SandboxOutcome) => {
    const invoiceId = await createTestInvoice(pool, sandbox.tenant, { now, endDateMs });
    await payInvoice(pool, invoiceId, cardWith(testCardFor(outcome).number), {
      clock: () => now,
      actor: { type: 'buyer' },
      address: '192.0.2.7',
      waitMs: 1_000,
      onLateError: () => undefined,
    });
  };
  for (let nth = 0; nth < 12; nth++) await pay(many, 'lost_card');
  for (let nth = 0; nth < 9; nth++) await pay(few, 'lost_card');
  await pay(many, 'approved');
  const named = async (at: Date) => {
    const text = await renderBacklog(pool, at);
    return text.match(/^gateway_merchant_declines_excess\{.*$/gm);
  };
  expect(await named(now)).toEqual([
    `gateway_merchant_declines_excess{merchant="${many.id}",environment="sandbox"} 11`,
  ]);
  expect(await named(new Date(now.getTime() + TRIES_WINDOW_MS))).toBeNull();
});

test('each figure tells its own trouble, in seconds and in numbers', async () => {
  const { pool } = database;
  const now = new Date(NOW.getTime() + 24 * 3_600_000);
  const before = (seconds: number) => new Date(now.getTime() - seconds * 1_000);
  const { id: merchantId, sandbox } = await createMerchantFixture(pool);
  const url = 'http://localhost:1/';
  await insertDue(pool, { merchantId, url, at: before(90), count: 2 });
  await pool.query('UPDATE callbacks SET created_at = $1', [before(600)]);
  const endsAt = (at: Date) =>
    createTestInvoice(pool, sandbox.tenant, { now: before(7_200), endDateMs: at.getTime() });
  await endsAt(before(20));
  // Recovery will take up all three, one of them in vain.
  for (const seconds of [60, 60, 3_600]) {
    const invoiceId = await endsAt(new Date(now.getTime() + 3_600_000));
    const at = before(seconds);
    await insertAttempt(pool, { invoiceId, status: 'voiding', updatedAt: at, recoverAt: at });
  }
  const invoiceId = await endsAt(new Date(now.getTime() + 3_600_000));
  const [updatedAt, recoverAt] = [before(7_000), before(-60)];
  await insertAttempt(pool, { invoiceId, status: 'capturing', updatedAt, recoverAt });
  await pool.query("UPDATE payment_attempts SET updated_at = $1 WHERE status = 'capturing'", [now]);
  await pool.query(
    `INSERT INTO process_beats (id, kind, host, pid, driver, started_at, last_seen_at)
     VALUES ('1', 'web', 'host', 1, NULL, $1, $1), ('2', 'worker', 'host', 2, 'fallback', $1, $1),
       ('3', 'worker', 'host', 3, 'fallback', $2, $2), ('4', 'worker', 'host', 4, 'inngest', $2, $2)`,
    [now, before(60)],
  );
  await connectMulticard(pool, { merchantId, secret: 'sec' }, now);
  const { id: downId } = await connectMulticard(pool, { merchantId, secret: 'sec' }, now);
  await pool.query(
    'UPDATE acquirer_accounts SET down_since = $2, compare_fault = $3 WHERE id = $1',
    [downId, now, 'TimeoutError'],
  );
  await pool.query(
    `INSERT INTO book_differences (id, account_id, kind, what, our_id, at, found_at, seen_at, gone_at, settled_at)
     SELECT n, $1, 'payment', 'missing_there', n, $2, $2, $2, gone, settled
     FROM (VALUES ('1', NULL, NULL), ('2', $2::timestamptz, NULL), ('3', NULL, $2::timestamptz))
       AS each (n, gone, settled)`,
    [downId, now],
  );
  await pool.query(
    `INSERT INTO refunds (id, merchant_id, environment, invoice_id, attempt_id, account_id,
       amount_minor, currency, status, created_at, updated_at, recover_at)
     SELECT 'ref_1', $1, 'sandbox', invoice_id, id, $2, 100, 'USD', 'PENDING', $3, $3, $4
     FROM payment_attempts WHERE invoice_id = $5`,
    [merchantId, downId, before(120), before(-60), invoiceId],
  );
  const text = (await renderProcesses(pool, now)) + (await renderBacklog(pool, now));
  expect(
    text
      .split('\n')
      .filter((line) => /^[a-z]/.test(line))
      .sort(),
  ).toEqual([
    'gateway_acquirer_accounts_down{provider="multicard"} 1',
    'gateway_book_comparisons_failing{provider="multicard"} 1',
    'gateway_book_differences{provider="multicard"} 1',
    'gateway_callback_lag_seconds 90',
    'gateway_callback_oldest_undelivered_seconds 600',
    'gateway_callbacks_due 2',
    'gateway_capture_oldest_pending_seconds 7000',
    'gateway_expiry_lag_seconds 20',
    'gateway_invoices_overdue 1',
    'gateway_oldest_snapshot_seconds 0',
    'gateway_processes{kind="web",driver="none"} 1',
    'gateway_processes{kind="worker",driver="fallback"} 1',
    'gateway_recoveries_stuck 1',
    'gateway_recoveries_waiting 3',
    'gateway_refunds_overdue 1',
  ]);
});
