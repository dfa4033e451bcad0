import type { QueryConfig } from 'pg';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Queryable } from '../../db/pool.ts';
import { grantTenant } from '../../merchants/tenant.ts';
import type { Tenant } from '../../merchants/types.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/database/database.ts';
import { explained, type Plan } from '../../testing/database/plans.ts';
import { createMerchantFixture, type MerchantFixture } from '../../testing/factories.ts';
import { findByWords } from './by-words.ts';
import { BLOCK_SIZE, MERGED_BLOCKS } from './grams.ts';
import { forgetIndex, indexInvoices } from './index-invoices.ts';

const NOW = new Date('2026-11-29T12:00:00.000Z');
const EVERYTHING = { fromId: 'inv_', beforeId: 'inv_z', rest: () => [] };

let database: TestDatabase;
let merchant: MerchantFixture;
beforeEach(async () => {
  database = await createTestDatabase();
  merchant = await createMerchantFixture(database.pool);
});
afterEach(() => database.drop());

const idOf = (tenant: Tenant, number: number) =>
  `inv_${String(number).padStart(9, '0')}${tenant.merchantId.slice(-6)}`;

/** Writes invoices `from` to `until`, whose texts follow from their numbers. */
async function write(tenant: Tenant, from: number, until: number): Promise<void> {
  await database.pool.query(
    `INSERT INTO invoices (id, merchant_id, environment, merchant_transaction_id, amount_minor,
       currency, description, positions, end_date, created_at, status_changed_at)
     SELECT 'inv_' || lpad(n::text, 9, '0') || right($1, 6), $1, $2::environment, 'order-' || n * 7,
       n * 100, 'UZS', CASE WHEN n % 1000 = 3 THEN 'Кофе «Утро» № ' || n ELSE 'Green tea' END, '[]',
       $3::timestamptz + interval '1 day', $3, $3
     FROM generate_series($4::int, $5::int) n`,
    [tenant.merchantId, tenant.environment, NOW.toISOString(), from, until],
  );
}

const find = (tenant: Tenant, words: string[], more = {}, limits = { wanted: 100 }) =>
  findByWords(database.pool, { ...EVERYTHING, tenant, words, ...more }, limits);

const index = () => indexInvoices(database.pool, { now: NOW, limit: 3 });
async function countBlocks(): Promise<number> {
  const { rows } = await database.pool.query('SELECT count(*)::int FROM invoice_search_blocks');
  return rows[0].count;
}

it('finds parts of texts and ids, in blocks and behind them, the newest first', async () => {
  const { tenant } = merchant.sandbox;
  await write(tenant, 1, 2 * BLOCK_SIZE + 100);
  expect(await index()).toBe(1);
  expect(await index()).toBe(1);
  expect(await index()).toBe(0);
  expect(await countBlocks()).toBe(2);
  const coffees = [8003, 7003, 6003, 5003, 4003, 3003, 2003, 1003, 3].map((n) => idOf(tenant, n));
  expect(await find(tenant, ['кофе'])).toEqual({ ids: coffees, boundId: null });
  expect(await find(tenant, ['утро', 'ко', '5003'])).toEqual({
    ids: [idOf(tenant, 5003)],
    boundId: null,
  });
  // Part of an order number, and six characters or more of an id, whatever they are.
  const { ids } = await find(tenant, [`der-${4000 * 7}`]);
  expect(ids).toEqual([idOf(tenant, 4000)]);
  const part = idOf(tenant, 8250).slice(7, 16);
  expect((await find(tenant, [part])).ids).toEqual([idOf(tenant, 8250)]);
  expect(await find(tenant, ['green'], {}, { wanted: 3 })).toEqual({
    ids: [8292, 8291, 8290].map((n) => idOf(tenant, n)),
    boundId: null,
  });
});

it('keeps to the span of ids and to further conditions', async () => {
  const { tenant } = merchant.sandbox;
  await write(tenant, 1, 5_000);
  await index();
  const span = { fromId: idOf(tenant, 2003), beforeId: idOf(tenant, 4003) };
  const spanned = await find(tenant, ['кофе'], span);
  expect(spanned.ids).toEqual([3003, 2003].map((n) => idOf(tenant, n)));
  const rest = (add: (value: unknown) => string) => [`i.amount_minor = ${add(300_300)}::bigint`];
  expect((await find(tenant, ['кофе'], { rest })).ids).toEqual([idOf(tenant, 3003)]);
});

it('looks each candidate up by its key', async () => {
  const { tenant } = merchant.sandbox;
  await write(tenant, 1, BLOCK_SIZE);
  await index();
  await database.pool.query('VACUUM ANALYZE');
  const reads: Plan[] = [];
  const search = { ...EVERYTHING, tenant, words: ['кофе'] };
  const { ids } = await findByWords(explained(database.pool, reads), search, { wanted: 100 });
  expect(ids).toHaveLength(5);
  const ofInvoices = reads.filter((each) => each['Relation Name'] === 'invoices');
  expect(ofInvoices.length).toBeGreaterThan(0);
  for (const each of ofInvoices) expect(each['Node Type']).toMatch(/Index/);
});

it('finds nothing of other tenants', async () => {
  const other = await createMerchantFixture(database.pool);
  await write(other.sandbox.tenant, 1, BLOCK_SIZE + 10);
  await write(merchant.production.tenant, 5_000, 5_003);
  await index();
  expect(await countBlocks()).toBe(1);
  expect((await find(other.sandbox.tenant, ['кофе'])).ids).toHaveLength(5);
  for (const { tenant } of [merchant.sandbox, { tenant: grantTenant(other.id, 'production') }]) {
    expect(await find(tenant, ['кофе'])).toEqual({ ids: [], boundId: null });
  }
});

it('says where it gave up', async () => {
  const { tenant } = merchant.sandbox;
  await write(tenant, 1, 3_000);
  const limits = { wanted: 100, mostCost: 1_500 };
  expect(await find(tenant, ['кофе'], {}, limits)).toEqual({
    ids: [idOf(tenant, 2003)],
    boundId: idOf(tenant, 1501),
  });
});

it('indexes once whatever runs beside it, and anew after it was told to forget', async () => {
  const { tenant } = merchant.sandbox;
  await write(tenant, 7, BLOCK_SIZE + 6);
  const runs = await Promise.all([index(), index(), index()]);
  expect(Math.max(...runs)).toBe(1);
  expect(await index()).toBe(0);
  expect(await countBlocks()).toBe(1);
  await write(tenant, 1, 6);
  await forgetIndex(database.pool, tenant);
  expect(await index()).toBe(1);
  const { rows } = await database.pool.query(
    `SELECT count(*)::int AS grams, (SELECT count FROM invoice_search_tails) AS tail
     FROM invoice_search_grams WHERE block_id NOT IN (SELECT id FROM invoice_search_blocks)`,
  );
  expect(rows).toEqual([{ grams: 0, tail: 6 }]);
});

it('merges sixteen blocks to one, and finds the same, in the midst of a search too', async () => {
  const { tenant } = merchant.sandbox;
  const all = MERGED_BLOCKS * BLOCK_SIZE;
  await write(tenant, 1, all - 1);
  while ((await index()) > 0);
  expect(await countBlocks()).toBe(MERGED_BLOCKS - 1);
  const coffees = Array.from({ length: 66 }, (_, n) => idOf(tenant, 65_003 - n * 1000)).slice(
    0,
    -1,
  );
  const found = { ids: [...coffees, idOf(tenant, 3)], boundId: null };
  expect(await find(tenant, ['кофе'])).toEqual(found);
  await write(tenant, all, all);
  // The blocks are merged after a search has read which there are.
  const db = {
    query: async (statement: QueryConfig | string, values?: unknown[]) => {
      if (typeof statement !== 'string' && statement.name === 'search_grams') await index();
      return await database.pool.query(statement, values);
    },
  } as Queryable;
  const search = { ...EVERYTHING, tenant, words: ['кофе'] };
  expect(await findByWords(db, search, { wanted: 100 })).toEqual(found);
  expect(await countBlocks()).toBe(1);
  expect(await find(tenant, ['кофе', '5003'])).toEqual({
    ids: [65_003, 55_003, 45_003, 35_003, 25_003, 15_003, 5003].map((n) => idOf(tenant, n)),
    boundId: null,
  });
  const { rows } = await database.pool.query(
    'SELECT count(DISTINCT block_id)::int AS blocks FROM invoice_search_grams',
  );
  expect(rows).toEqual([{ blocks: 1 }]);
}, 60_000);

it('leaves the newest for later: an invoice with an earlier id may still be on its way', async () => {
  const { tenant } = merchant.sandbox;
  await write(tenant, 1, BLOCK_SIZE);
  const run = (now: string) => indexInvoices(database.pool, { now: new Date(now), limit: 3 });
  expect(await run('1970-01-01T00:00:30.000Z')).toBe(0);
  expect(await run('2026-11-29T12:00:00.000Z')).toBe(1);
});
