import fc from 'fast-check';
import type { Pool } from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { inTransaction, openPool, type Queryable } from '../../db/pool.ts';
import { idBefore, newId, timeOfId } from '../../lib/ids.ts';
import { CURRENCIES } from '../../lib/money.ts';
import type { Tenant } from '../../merchants/types.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/database/database.ts';
import { explainedPool, type Plan } from '../../testing/database/plans.ts';
import { createMerchantFixture, type MerchantFixture } from '../../testing/factories.ts';
import { createTestInvoice } from '../../testing/invoices.ts';
import { forgetHours, HOUR_MS, sumClosedHours, sumLateInvoices } from './hours.ts';
import { readSpans } from './overview.ts';

// The overview's figures equal the invoices' own, however many are summed up.

const START_MS = Date.parse('2026-01-15T00:00:00.000Z');
const END_MS = Date.parse('2026-01-21T12:20:00.000Z');
const at = (timeMs: number) => new Date(timeMs);
const STATUSES = ['PENDING', 'PAID', 'PAID', 'PAID', 'EXPIRED', 'CANCELED'];

let database: TestDatabase;
let shops: MerchantFixture[];
let made = 0;

/** Inserts an invoice of a random shop with a random outcome. */
async function insert(db: Queryable, createdMs: number): Promise<void> {
  made += 1;
  const environment = made % 3 === 0 ? 'production' : 'sandbox';
  await db.query(
    `INSERT INTO invoices (id, merchant_id, environment, merchant_transaction_id, status,
       amount_minor, currency, description, positions, success_url, error_url, callback_url,
       end_date, created_at, status_changed_at, capture_attempt_id)
     VALUES ($1, $2, $3::environment, $4, $5::invoice_status, $6, $7::currency, 'x', '[]', 'x',
       'x', 'x', $8, $9, $9, 'pay_x')`,
    [
      newId('inv', createdMs),
      shops[made % 2]?.id,
      environment,
      String(made),
      STATUSES[made % STATUSES.length],
      1 + ((made * 7919) % 100_000),
      CURRENCIES[(made * 31) % CURRENCIES.length],
      at(createdMs + 72 * HOUR_MS),
      at(createdMs),
    ],
  );
}

beforeAll(async () => {
  database = await createTestDatabase();
  shops = [await createMerchantFixture(database.pool), await createMerchantFixture(database.pool)];
  for (let i = 0; i < 500; i += 1) {
    await insert(database.pool, START_MS + Math.floor((i / 500) ** 0.7 * (END_MS - START_MS)));
  }
  // The times are on both sides of an hour's edge, to the millisecond.
  for (const offMs of [-1, 0, 1]) await insert(database.pool, START_MS + 30 * HOUR_MS + offMs);
});
afterAll(() => database.drop());

/** The same figures straight from the invoices. */
async function direct({ merchantId, environment }: Tenant, fromMs: number, untilMs: number) {
  const { rows } = await database.pool.query(
    `SELECT currency, count(*)::int AS created, count(*) FILTER (WHERE status = 'PAID')::int AS paid,
            coalesce(sum(amount_minor) FILTER (WHERE status = 'PAID'), 0)::text AS volume
     FROM invoices WHERE merchant_id = $1 AND environment = $2 AND id >= $3 AND id < $4
     GROUP BY currency ORDER BY currency`,
    [merchantId, environment, idBefore('inv', fromMs), idBefore('inv', untilMs)],
  );
  const sum = (key: 'created' | 'paid') => rows.reduce((all, row) => all + row[key], 0);
  return {
    created: sum('created'),
    paid: sum('paid'),
    volumes: rows
      .filter(({ paid }) => paid > 0)
      .map(({ currency, paid, volume }) => ({ currency, paid, amountMinor: BigInt(volume) })),
  };
}

async function expectSame(edgesMs: number[]): Promise<void> {
  for (const tenant of shops.flatMap(({ sandbox, production }) => [
    sandbox.tenant,
    production.tenant,
  ])) {
    const spans = await readSpans(database.pool, tenant, edgesMs);
    const wanted = edgesMs
      .slice(1)
      .map((untilMs, index) => direct(tenant, edgesMs[index] ?? 0, untilMs));
    expect(spans).toEqual(await Promise.all(wanted));
  }
}

const MINUTE_MS = 60_000;
// The days are those of zones with whole, half and quarter hours, on either side of UTC.
const OFFSETS_MIN = [0, 60, -300, 330, 345, -210, 765];
const dayEdges = (offsetMin: number): number[] =>
  Array.from(
    { length: 9 },
    (_, day) => START_MS + (day - 1) * 24 * HOUR_MS - offsetMin * MINUTE_MS,
  );

async function expectSameEverywhere(): Promise<void> {
  for (const offsetMin of OFFSETS_MIN) await expectSame(dayEdges(offsetMin));
  const anyTime = fc.integer({ min: START_MS - HOUR_MS, max: END_MS + HOUR_MS });
  const edges = fc
    .uniqueArray(anyTime, { minLength: 2, maxLength: 6 })
    .map((times) => times.sort((a, b) => a - b));
  await fc.assert(fc.asyncProperty(edges, expectSame), { numRuns: 10 });
}

const progress = async () => {
  const { rows } = await database.pool.query(
    'SELECT summed_until AS until FROM invoice_sums_progress',
  );
  return (rows[0]?.until as Date | undefined)?.getTime() ?? null;
};

it('sums all live before the first hour is summed up', async () => {
  await expectSameEverywhere();
});

it('is the same after every few hours that are summed up', { timeout: 60_000 }, async () => {
  for (let n = 0; n < 3; n += 1) {
    expect(await sumClosedHours(database.pool, { now: at(END_MS), limit: 20 })).toBe(20);
    expect(await progress()).toBe(START_MS + (n + 1) * 20 * HOUR_MS);
    await expectSameEverywhere();
  }
});

it('leaves nothing behind when it dies half way', async () => {
  const [before, shop] = [await progress(), shops[0]];
  // This row blocks the last hour of the next run.
  const taken = at((before ?? 0) + 9 * HOUR_MS);
  await database.pool.query(
    `INSERT INTO invoice_hour_sums SELECT $1, e, $2, c, 9, 9, 9
     FROM unnest(enum_range(NULL::environment)) e, unnest(enum_range(NULL::currency)) c`,
    [shop?.id, taken],
  );
  const run = () => sumClosedHours(database.pool, { now: at(END_MS), limit: 10 });
  await expect(run()).rejects.toThrow(/invoice_hour_sums_pkey/);
  await database.pool.query('DELETE FROM invoice_hour_sums WHERE hour = $1', [taken]);
  expect(await progress()).toBe(before);
  await expectSameEverywhere();
});

it('is the same when several do it at once, and leaves the hours that are not closed', async () => {
  const run = () => sumClosedHours(database.pool, { now: at(END_MS), limit: 24 });
  for (let n = 0; n < 6; n += 1) await Promise.all([run(), run(), run()]);
  expect(await run()).toBe(0);
  // It is 12:20, and an hour must be over for an hour: 11:00 is the last edge.
  expect(await progress()).toBe(Date.parse('2026-01-21T11:00:00.000Z'));
  await expectSameEverywhere();
});

it('counts what is paid late where it was created, before and after it is added', async () => {
  const { rowCount } = await database.pool.query(
    `UPDATE invoices SET status = CASE WHEN amount_minor % 3 = 0 THEN 'CANCELED' ELSE 'PAID' END::invoice_status
     WHERE status = 'PENDING' AND amount_minor % 5 <> 0`,
  );
  expect(rowCount).toBeGreaterThan(20);
  await expectSameEverywhere();
  const waiting = async () => {
    const { rows } = await database.pool.query('SELECT count(*)::int AS n FROM unsummed_invoices');
    return rows[0].n as number;
  };
  const before = await waiting();
  const now = at(END_MS + 2 * HOUR_MS);
  expect(await sumLateInvoices(database.pool, { now, limit: 10 })).toBe(10);
  await expectSameEverywhere();
  await Promise.all([1, 2, 3].map(() => sumLateInvoices(database.pool, { now, limit: 1_000 })));
  // Pending ones wait on, until a later look.
  expect(await waiting()).toBeLessThan(before);
  expect(await waiting()).toBeGreaterThan(0);
  expect(await sumLateInvoices(database.pool, { now, limit: 1_000 })).toBe(0);
  await expectSameEverywhere();
});

it('begins anew from where made-up invoices were written as of earlier', async () => {
  const fromMs = START_MS + 50.5 * HOUR_MS;
  await inTransaction(database.pool, async (db) => {
    for (let n = 0; n < 20; n += 1) await insert(db, fromMs + n * HOUR_MS);
    await forgetHours(db, fromMs);
  });
  expect(await progress()).toBe(START_MS + 50 * HOUR_MS);
  await expectSame(dayEdges(0));
  while ((await sumClosedHours(database.pool, { now: at(END_MS), limit: 24 })) > 0);
  await expectSameEverywhere();
});

it('passes over the time without invoices at once, and reads ids that are none of ours', async () => {
  const later = at(END_MS + 1_000 * HOUR_MS);
  await sumClosedHours(database.pool, { now: later, limit: 24 });
  await sumClosedHours(database.pool, { now: later, limit: 24 });
  const summed = Math.floor(later.getTime() / HOUR_MS) * HOUR_MS - HOUR_MS;
  expect(await progress()).toBe(summed);
  // Forgetting later hours does not move it on, because they are not summed up yet.
  await inTransaction(database.pool, (db) => forgetHours(db, summed + 2 * HOUR_MS));
  expect(await progress()).toBe(summed);
  expect(timeOfId(newId('inv', END_MS))).toBe(END_MS);
  expect(timeOfId('inv_LLLL')).toBe(0);
});

it('believes no worker whose clock is ahead of the database’s', async () => {
  const hourMs = Math.floor(Date.now() / HOUR_MS) * HOUR_MS;
  await sumClosedHours(database.pool, { now: at(Date.now() + 100 * HOUR_MS), limit: 24 });
  expect(await progress()).toBeLessThanOrEqual(hourMs);
  await insert(database.pool, Date.now());
  await expectSame([hourMs - HOUR_MS, Date.now() + HOUR_MS]);
});

it('leaves late invoices alone while another process sums up, and forgets those that are gone', async () => {
  const soon = at(Date.now());
  await database.pool.query(
    `INSERT INTO unsummed_invoices SELECT $1, 'sandbox', 'inv_gone', $2, $2`,
    [shops[0]?.id, at(START_MS)],
  );
  const orphans = async () =>
    (await database.pool.query(`SELECT FROM unsummed_invoices WHERE invoice_id = 'inv_gone'`))
      .rowCount;
  await inTransaction(database.pool, async (db) => {
    await forgetHours(db, END_MS + 2_000 * HOUR_MS);
    expect(await sumLateInvoices(database.pool, { now: soon, limit: 1_000 })).toBe(0);
  });
  expect(await orphans()).toBe(1);
  expect(await sumLateInvoices(database.pool, { now: soon, limit: 1_000 })).toBeGreaterThan(0);
  expect(await orphans()).toBe(0);
  expect(await sumLateInvoices(database.pool, { now: soon, limit: 1_000 })).toBe(0);
});

it('reads no more than the hours that it sums up, however many invoices are pending', async () => {
  const other = await createTestDatabase();
  const { id } = await createMerchantFixture(other.pool);
  const ids = Array.from({ length: 20_000 }, (_, minute) =>
    newId('inv', START_MS + minute * MINUTE_MS),
  );
  await other.pool.query(
    `INSERT INTO invoices (id, merchant_id, environment, merchant_transaction_id, status,
       amount_minor, currency, description, positions, success_url, error_url, callback_url,
       end_date, created_at, status_changed_at)
     SELECT id, $1, 'sandbox', id,
            CASE WHEN n % 10 = 0 THEN 'PENDING' ELSE 'EXPIRED' END::invoice_status, 100, 'USD', 'x',
            '[]', 'x', 'x', 'x', '9999-12-31', $3, $3
     FROM unnest($2::text[]) WITH ORDINALITY each (id, n)`,
    [id, ids, at(START_MS)],
  );
  await other.pool.query('ANALYZE');
  const reads: Plan[] = [];
  const pool = explainedPool(other.pool, reads);
  expect(await sumClosedHours(pool, { now: at(Date.now()), limit: 6 })).toBe(6);
  const invoices = reads.filter((read) => read['Relation Name'] === 'invoices');
  expect(invoices).toHaveLength(2);
  for (const read of invoices) {
    expect(read['Actual Rows'] * read['Actual Loops']).toBeLessThanOrEqual(6 * 60 + 24);
  }
  const { rowCount } = await other.pool.query('SELECT FROM unsummed_invoices');
  expect(rowCount).toBe((6 * 60) / 10);
  await other.drop();
});

it('counts what is made in hours that a clock of the database’s had closed too early', async () => {
  const other = await createTestDatabase();
  const { sandbox } = await createMerchantFixture(other.pool);
  const invoiceAt = (timeMs: number) =>
    createTestInvoice(other.pool, sandbox.tenant, {
      now: at(timeMs),
      endDateMs: timeMs + 100 * HOUR_MS,
    });
  const nowMs = Date.now();
  await invoiceAt(nowMs - 5 * HOUR_MS);
  await other.pool.query(`
    CREATE SCHEMA ahead;
    CREATE FUNCTION ahead.now() RETURNS timestamptz LANGUAGE sql
      AS $$ SELECT pg_catalog.now() + interval '3 hours' $$`);
  const path = '-c search_path=ahead,public,pg_catalog';
  const ahead = openPool(`${other.url}&options=${encodeURIComponent(path)}`, 1);
  const sum = (pool: Pool, timeMs: number) => sumClosedHours(pool, { now: at(timeMs), limit: 24 });
  await sum(ahead, nowMs + 3 * HOUR_MS);
  await ahead.end();
  await invoiceAt(nowMs);
  await sum(other.pool, nowMs);
  const [span] = await readSpans(other.pool, sandbox.tenant, [
    nowMs - 10 * HOUR_MS,
    nowMs + HOUR_MS,
  ]);
  expect(span).toMatchObject({ created: 2 });
  await other.drop();
});
