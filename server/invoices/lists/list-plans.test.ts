import { afterAll, beforeAll, expect, it } from 'vitest';
import { seedDemo } from '../../demo/seed.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/database/database.ts';
import { explained, type Plan } from '../../testing/database/plans.ts';
import { createMerchantFixture, type MerchantFixture } from '../../testing/factories.ts';
import { NO_FILTERS } from '../../testing/invoices.ts';
import { countInvoices, listInvoices } from './list.ts';
import type { InvoiceFilters } from './list-types.ts';

// PostgreSQL makes these plans for tables with statistics. The cost at a million invoices follows:
// every source uses an index, and reads no more than the bound.

const NOW = new Date('2026-11-21T12:00:00.000Z');
const DAY_MS = 86_400_000;
const LOOKED_AT = 100;
/** The rows read of 12,000: PostgreSQL prefers to sort a few rows of an index over following it. */
const MOST_READ = 1_000;
const CASES: Record<string, Partial<InvoiceFilters>> = {
  'no filter': {},
  'one final status': { statuses: ['CANCELED'] },
  pending: { statuses: ['PENDING'] },
  'two statuses': { statuses: ['PAID', 'EXPIRED'] },
  currency: { currency: 'UZS', statuses: ['EXPIRED'] },
  'an amount that none has': { minAmountMinor: 10n ** 15n },
  dates: { fromMs: NOW.getTime() - 60 * DAY_MS, untilMs: NOW.getTime() - 50 * DAY_MS },
  'days of payment': { by: 'paid', fromMs: NOW.getTime() - 60 * DAY_MS, untilMs: NOW.getTime() },
  'days of payment in a currency': { by: 'paid', currency: 'UZS' },
  'an amount that none was paid': { by: 'paid', minAmountMinor: 10n ** 15n },
  'a search among what was paid': { by: 'paid', fromMs: 0, search: '26.00' },
  'a reusable link': { linkId: 'lnk_none' },
  'failed callbacks': { callbackState: 'exhausted' },
  'delivered callbacks': { callbackState: 'delivered' },
  'what contradicts itself': { callbackState: 'delivered', statuses: ['PENDING'] },
  'an id': { search: 'inv_01m0zr2h5qnt8t4fnvbyfen57jb6y0fvemp' },
  'a transaction id': { search: 'demo-1-0000529' },
  'an amount': { search: '26.00' },
  'last four digits': { search: '4242' },
  'last four digits of what was never paid': { search: '4242', statuses: ['EXPIRED'] },
};

let database: TestDatabase;
let merchant: MerchantFixture;
beforeAll(async () => {
  database = await createTestDatabase();
  merchant = await createMerchantFixture(database.pool);
  await seedDemo(database.pool, {
    merchantId: merchant.id,
    invoices: 12_000,
    seed: 1,
    publicUrl: 'http://localhost:3000',
    actor: { type: 'operator', id: null, label: 'test' },
    now: NOW,
    onProgress: () => undefined,
  });
}, 120_000);
afterAll(() => database.drop());

function expectBounded(reads: Plan[]): void {
  for (const read of reads) {
    expect(read['Node Type']).toMatch(/Index|Bitmap Heap/);
    const rows = read['Actual Rows'] + (read['Rows Removed by Filter'] ?? 0);
    expect(rows * read['Actual Loops']).toBeLessThanOrEqual(MOST_READ);
  }
}

it.each(Object.entries(CASES))('goes by an index and stops in time: %s', async (_, filters) => {
  for (const isOldestFirst of [false, true]) {
    const reads: Plan[] = [];
    const given = { ...NO_FILTERS, ...filters };
    const page = { filters: given, cursor: null, limit: 50, isOldestFirst };
    const { tenant } = merchant.sandbox;
    await listInvoices(explained(database.pool, reads), tenant, page, { lookedAt: LOOKED_AT });
    expect(reads.length).toBeGreaterThan(2);
    expectBounded(reads);
  }
});

it.each(Object.entries(CASES))('and so does the count: %s', async (_, given) => {
  const reads: Plan[] = [];
  const filters = { ...NO_FILTERS, ...given };
  const options = { lookedAt: LOOKED_AT, most: 50 };
  await countInvoices(explained(database.pool, reads), merchant.sandbox.tenant, filters, options);
  expect(reads.length).toBeGreaterThan(0);
  expectBounded(reads);
});
