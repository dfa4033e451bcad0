import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../testing/database/database.ts';
import { createMerchantFixture, type MerchantFixture } from '../../testing/factories.ts';
import { createTestInvoice, NO_FILTERS } from '../../testing/invoices.ts';
import { cancelInvoice } from '../cancel.ts';
import { countInvoices, listAndCount } from './list.ts';
import type { InvoiceFilters } from './list-types.ts';

const NOW = new Date('2026-11-21T12:00:00.000Z');

let database: TestDatabase;
let merchant: MerchantFixture;
beforeAll(async () => {
  database = await createTestDatabase();
  const { pool } = database;
  merchant = await createMerchantFixture(pool);
  const stranger = await createMerchantFixture(pool);
  for (const { tenant } of [merchant.sandbox, merchant.production, stranger.sandbox]) {
    for (let i = 0; i < 6; i++) {
      const now = new Date(NOW.getTime() + i * 1000);
      const id = await createTestInvoice(pool, tenant, { amountMinor: 1000 + (i % 3), now });
      if (i < 2) await cancelInvoice(pool, tenant, id, { actor: { type: 'api' }, now });
    }
  }
});
afterAll(() => database.drop());

const count = (filters: Partial<InvoiceFilters> = {}, lookedAt?: number) =>
  countInvoices(
    database.pool,
    merchant.sandbox.tenant,
    { ...NO_FILTERS, ...filters },
    lookedAt === undefined ? {} : { lookedAt },
  );

it.each([
  ['no filter', {}, 6],
  ['a status of an index', { statuses: ['CANCELED'] }, 2],
  ['a filter without one', { minAmountMinor: 1002n }, 2],
  ['a callback', { callbackState: 'pending' }, 2],
  ['a search that goes several ways', { search: '10.00' }, 2],
  ['a search that finds nothing', { search: 'no-such-order' }, 0],
] as const)('counts the tenant’s own, each once: %s', async (_, filters, expected) => {
  expect(await count(filters)).toEqual({ count: expected, isMore: false });
});

it('counts as far as it looks, and says that there may be more', async () => {
  expect(await count({ statuses: ['PENDING'] }, 5)).toEqual({ count: 4, isMore: true });
  expect(await count({ statuses: ['PENDING'] }, 7)).toEqual({ count: 4, isMore: false });
});

it('stops at the most', async () => {
  const { tenant } = merchant.production;
  const upTo = (most: number) => countInvoices(database.pool, tenant, NO_FILTERS, { most });
  expect(await upTo(5)).toEqual({ count: 5, isMore: true });
  expect(await upTo(6)).toEqual({ count: 6, isMore: false });
});

it('tells of a page how many there are in all, on whichever page', async () => {
  const { tenant } = merchant.sandbox;
  const pageOf = (limit: number, cursor: string | null = null) =>
    listAndCount(database.pool, tenant, { filters: NO_FILTERS, cursor, limit });
  const all = { total: { count: 6, isMore: false } };
  expect(await pageOf(7)).toMatchObject(all);
  const first = await pageOf(4);
  expect(first).toMatchObject(all);
  const second = await pageOf(4, first.nextCursor);
  expect(second).toMatchObject(all);
  expect(second.invoices).toHaveLength(2);
});
