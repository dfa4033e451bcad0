import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { migrationsFolder } from '../db/migrate.ts';
import { inTransaction, type Queryable } from '../db/pool.ts';
import { newId } from '../lib/ids.ts';
import { createTestDatabase, type TestDatabase } from '../testing/database/database.ts';
import { explained, type Plan } from '../testing/database/plans.ts';
import { createMerchantFixture, type MerchantFixture } from '../testing/factories.ts';
import { forgetHours, HOUR_MS, sumClosedHours, sumLateInvoices } from './lists/hours.ts';
import { readSpans } from './lists/overview.ts';

// A payment after its hour was summed up counts at once and only once: before the worker has added
// it and after, by either version, and during other payments or sums.

const MINUTE_MS = 60_000;

let database: TestDatabase;
let merchant: MerchantFixture;
beforeEach(async () => {
  database = await createTestDatabase();
  merchant = await createMerchantFixture(database.pool);
});
afterEach(() => database.drop());

/** Inserts `count` pending invoices of 1 USD, one a second from then on. */
async function insert(fromMs: number, count = 1): Promise<string[]> {
  const ids = Array.from({ length: count }, (_, n) => newId('inv', fromMs + n * 1_000));
  await database.pool.query(
    `INSERT INTO invoices (id, merchant_id, environment, merchant_transaction_id, status,
       amount_minor, currency, description, positions, success_url, error_url, callback_url,
       end_date, created_at, status_changed_at)
     SELECT id, $1, 'sandbox', id, 'PENDING', 100, 'USD', 'x', '[]', 'x', 'x', 'x', '9999-12-31',
            to_timestamp($2::float8 / 1000) + n * interval '1 second', now()
     FROM unnest($3::text[]) WITH ORDINALITY each (id, n)`,
    [merchant.id, fromMs, ids],
  );
  return ids;
}

const pay = (db: Queryable, ids: string[]) =>
  db.query(
    `UPDATE invoices SET status = 'PAID', capture_attempt_id = 'pay_x' WHERE id = ANY ($1)`,
    [ids],
  );

const rowsOf = async (table: 'late_payments' | 'unsummed_invoices') =>
  (await database.pool.query(`SELECT FROM ${table}`)).rowCount;

/** The overview's figures for the last 50 hours. */
async function figures(db: Queryable = database.pool) {
  const nowMs = Date.now();
  const edgesMs = [nowMs - 50 * HOUR_MS, nowMs];
  const [span] = await readSpans(db, merchant.sandbox.tenant, edgesMs);
  return { created: span?.created, paid: span?.paid, amountMinor: span?.volumes[0]?.amountMinor };
}
const paidOnes = (paid: number) => ({ paid, amountMinor: paid ? BigInt(paid) * 100n : undefined });

const sumUp = () => sumClosedHours(database.pool, { now: new Date(), limit: 100 });
const addLate = (limit = 1_000) => sumLateInvoices(database.pool, { now: new Date(), limit });

it('looks at none that are pending, however many they are', { timeout: 60_000 }, async () => {
  const ids = await insert(Date.now() - 40 * HOUR_MS, 20_000);
  await sumUp();
  await database.pool.query('ANALYZE');
  await pay(database.pool, ids.slice(0, 30));
  const reads: Plan[] = [];
  expect(await figures(explained(database.pool, reads))).toEqual({
    created: 20_000,
    ...paidOnes(30),
  });
  for (const read of reads) {
    const rows = read['Actual Rows'] + (read['Rows Removed by Filter'] ?? 0);
    expect(rows * read['Actual Loops'], JSON.stringify(read)).toBeLessThan(500);
  }
});

it('counts them before and after the worker adds them, who need not wait for its next look', async () => {
  const ids = await insert(Date.now() - 40 * HOUR_MS, 60);
  await sumUp();
  await addLate();
  expect(await rowsOf('unsummed_invoices')).toBe(60);
  await pay(database.pool, ids.slice(0, 50));
  const wanted = { created: 60, ...paidOnes(50) };
  expect(await figures()).toEqual(wanted);
  expect(await addLate(20)).toBe(20);
  expect(await figures()).toEqual(wanted);
  await Promise.all([addLate(), addLate()]);
  expect(await figures()).toEqual(wanted);
  expect(await rowsOf('late_payments')).toBe(0);
  expect(await rowsOf('unsummed_invoices')).toBe(10);
});

it('counts one whose payment is under way while its hour is summed up', async () => {
  const ids = await insert(Date.now() - 5 * HOUR_MS, 2);
  await inTransaction(database.pool, async (db) => {
    await pay(db, ids);
    await sumUp();
    // The worker does not know of it yet.
    await addLate();
    expect(await figures()).toEqual({ created: 2, ...paidOnes(0) });
  });
  expect(await figures()).toEqual({ created: 2, ...paidOnes(2) });
  await addLate();
  expect(await figures()).toEqual({ created: 2, ...paidOnes(2) });
  expect(await rowsOf('unsummed_invoices')).toBe(0);
});

it('counts once what was paid before its hour was summed up', async () => {
  const ids = await insert(Date.now() - 40 * HOUR_MS, 2);
  const wanted = { created: 2, ...paidOnes(2) };
  await pay(database.pool, ids.slice(0, 1));
  expect(await addLate()).toBe(1);
  await pay(database.pool, ids.slice(1));
  await sumUp();
  expect(await figures()).toEqual(wanted);
  expect(await addLate()).toBe(1);
  expect(await figures()).toEqual(wanted);
});

it('counts once what the version before has added, and what is summed up anew', async () => {
  const ids = await insert(Date.now() - 40 * HOUR_MS, 2);
  await sumUp();
  await pay(database.pool, ids);
  const wanted = { created: 2, ...paidOnes(2) };
  // The version before goes by the time alone, and leaves the trigger's rows.
  const told = await database.pool.query('DELETE FROM late_payments RETURNING *');
  expect(told.rowCount).toBe(2);
  await database.pool.query(`UPDATE unsummed_invoices SET look_at = now() - interval '1 minute'`);
  expect(await addLate()).toBe(2);
  await database.pool.query(
    'INSERT INTO late_payments SELECT merchant_id, environment, id FROM invoices',
  );
  expect(await figures()).toEqual(wanted);
  await inTransaction(database.pool, (db) => forgetHours(db, Date.now() - 45 * HOUR_MS));
  expect(await figures()).toEqual(wanted);
  await sumUp();
  expect(await figures()).toEqual(wanted);
  await addLate();
  expect(await figures()).toEqual(wanted);
  expect(await rowsOf('late_payments')).toBe(0);
});

it('is the same when the sums are emptied, with what the trigger told or without', async () => {
  const ids = await insert(Date.now() - 40 * HOUR_MS, 3);
  for (const [n, more] of ['', ', late_payments'].entries()) {
    await sumUp();
    await pay(database.pool, ids.slice(n, n + 1));
    await database.pool.query(
      `TRUNCATE invoice_hour_sums, invoice_quarter_sums, unsummed_invoices, invoice_sums_progress${more}`,
    );
    const wanted = { created: 3, ...paidOnes(n + 1) };
    expect(await figures()).toEqual(wanted);
    await sumUp();
    expect(await figures()).toEqual(wanted);
    await addLate();
    expect(await figures()).toEqual(wanted);
  }
});

it('counts what was paid before there was a trigger to tell of it', async () => {
  const ids = await insert(Date.now() - 40 * HOUR_MS, 3);
  await sumUp();
  await database.pool.query(`
    DROP TRIGGER invoices_paid_late ON invoices; DROP FUNCTION tell_late_payment;
    DROP TABLE late_payments`);
  await pay(database.pool, ids.slice(0, 2));
  const path = join(migrationsFolder(), '20261126012127_late_payments', 'migration.sql');
  await database.pool.query(readFileSync(path, 'utf8'));
  expect(await figures()).toEqual({ created: 3, ...paidOnes(2) });
});

it('costs a payment nothing that comes in time, nor another end', async () => {
  const [ended = '', ...soon] = await insert(Date.now() - 20 * MINUTE_MS, 3);
  await pay(database.pool, soon);
  await database.pool.query(
    `UPDATE invoices SET status = 'EXPIRED', created_at = now() - interval '9 hours' WHERE id = $1`,
    [ended],
  );
  expect(await rowsOf('late_payments')).toBe(0);
});
