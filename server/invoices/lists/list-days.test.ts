import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { newId } from '../../lib/ids.ts';
import { CURRENCIES } from '../../lib/money.ts';
import { dayOf, spanOfDay, startOfDay } from '../../lib/zone-days.ts';
import type { Tenant } from '../../merchants/types.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/database/database.ts';
import { createMerchantFixture } from '../../testing/factories.ts';
import { NO_FILTERS, type WrittenInvoice, writeInvoices } from '../../testing/invoices.ts';
import { createTestLink } from '../../testing/links.ts';
import { countInvoices, listInvoices } from './list.ts';
import type { InvoiceFilters, ListDays } from './list-types.ts';

const HOUR_MS = 3_600_000;
const NOW_MS = Date.parse('2026-11-21T12:00:00.000Z');
// The days with a change of clocks and their hours; Tashkent has none.
const CHANGES = [
  ['Europe/Berlin', '2026-03-29', 23],
  ['Europe/Berlin', '2026-10-25', 25],
  ['Asia/Tashkent', '2026-10-25', 24],
] as const;

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const newTenant = async (): Promise<Tenant> =>
  (await createMerchantFixture(database.pool)).sandbox.tenant;

type Options = { lookedAt?: number; isOldestFirst?: boolean; between?: () => Promise<void> };

/** The ids on all pages of a list, in pages of a few. */
async function idsOf(
  tenant: Tenant,
  filters: Partial<InvoiceFilters>,
  { lookedAt = 5_000, isOldestFirst = false, between }: Options = {},
): Promise<string[]> {
  const ids: string[] = [];
  let cursor: string | null = null;
  do {
    const page = { filters: { ...NO_FILTERS, ...filters }, cursor, limit: 3, isOldestFirst };
    const answer = await listInvoices(database.pool, tenant, page, { lookedAt });
    ids.push(...answer.invoices.map(({ id }) => id));
    cursor = answer.nextCursor;
    await between?.();
  } while (cursor !== null);
  return ids;
}

const timeBy = (by: ListDays) => (row: WrittenInvoice) =>
  by === 'paid' ? row.changedAtMs : row.createdAtMs;

/** As a list by these days has them. */
function sorted(rows: readonly WrittenInvoice[], by: ListDays): string[] {
  const time = timeBy(by);
  const order = (a: WrittenInvoice, b: WrittenInvoice) =>
    time(b) - time(a) || (a.id < b.id ? 1 : -1);
  return rows
    .filter(({ status }) => by === 'created' || status === 'PAID')
    .sort(order)
    .map(({ id }) => id);
}

/** Invoices of the days around one, often created or changed at the very edges of its days. */
function invoicesAround(day: string, zone: string): fc.Arbitrary<WrittenInvoice[]> {
  const edges = [-1, 0, 1, 2].map((by) => startOfDay(day, by, zone) ?? 0);
  const [fromMs = 0] = edges;
  const at = fc.oneof(
    fc.integer({ min: fromMs, max: (edges.at(-1) ?? 0) - 1 }),
    fc
      .tuple(fc.constantFrom(...edges.slice(1, 3)), fc.constantFrom(-1, 0, 1))
      .map(([ms, by]) => ms + by),
  );
  const invoice = fc
    .record({
      times: fc.tuple(at, at),
      status: fc.constantFrom('PAID' as const, 'PAID' as const, 'EXPIRED' as const),
      currency: fc.constantFrom(...CURRENCIES),
    })
    .map(({ times, ...row }) => {
      const [createdAtMs, changedAtMs] = [Math.min(...times), Math.max(...times)];
      return { id: newId('inv', createdAtMs), createdAtMs, changedAtMs, ...row };
    });
  return fc.array(invoice, { minLength: 1, maxLength: 14 });
}

it.each(CHANGES)(
  'in %s around %s, a day of %i hours, lists by payment and by creation have each invoice on its day alone',
  async (zone, changed, hours) => {
    const { fromMs, untilMs } = spanOfDay(changed, zone);
    expect((untilMs - fromMs) / HOUR_MS).toBe(hours);
    await fc.assert(
      fc.asyncProperty(invoicesAround(changed, zone), async (rows) => {
        const tenant = await newTenant();
        await writeInvoices(database.pool, tenant, rows);
        for (const by of ['paid', 'created'] as const) {
          const time = timeBy(by);
          for (const day of new Set(rows.map((row) => dayOf(time(row), zone)))) {
            const filters = { by, ...spanOfDay(day, zone) };
            const found = await idsOf(tenant, filters);
            // The calendar tells the day of a time without knowing when the day begins.
            const ofDay = rows.filter((row) => dayOf(time(row), zone) === day);
            expect(found).toEqual(sorted(ofDay, by));
            expect(await idsOf(tenant, filters, { isOldestFirst: true })).toEqual(
              found.toReversed(),
            );
            const counted = { ...NO_FILTERS, ...filters };
            const total = { count: found.length, isMore: false };
            expect(await countInvoices(database.pool, tenant, counted)).toEqual(total);
          }
        }
      }),
      { numRuns: 12 },
    );
  },
  60_000,
);

/** Paid in another order than created, in all currencies, two at a time. */
function paidRows(count: number, paidFromMs: number): WrittenInvoice[] {
  return Array.from({ length: count }, (_, n) => ({
    id: newId('inv', NOW_MS - n * 1_000),
    createdAtMs: NOW_MS - n * 1_000,
    changedAtMs: paidFromMs + Math.floor(n / 2) * 1_000,
    status: 'PAID' as const,
    currency: CURRENCIES[n % CURRENCIES.length] ?? 'USD',
  }));
}

it.each([false, true])(
  'pages by payment (oldest first: %s) lose and repeat nothing while payments arrive',
  async (isOldestFirst) => {
    const tenant = await newTenant();
    const rows = paidRows(20, NOW_MS);
    await writeInvoices(database.pool, tenant, rows);
    let paidAtMs = NOW_MS + 60_000;
    const arrived: WrittenInvoice[] = [];
    const between = async () => {
      if (arrived.length >= 8) return;
      const more = paidRows(2, paidAtMs++);
      arrived.push(...more);
      await writeInvoices(database.pool, tenant, more);
    };
    const found = await idsOf(tenant, { by: 'paid' }, { isOldestFirst, between });
    const expected = isOldestFirst
      ? sorted([...rows, ...arrived], 'paid').toReversed()
      : sorted(rows, 'paid');
    expect(found).toEqual(expected);
    expect(arrived).toHaveLength(8);
  },
);

it.each(['paid', 'created'] as const)(
  'pages by day %s that end early at a bound leave nothing out, in either order',
  async (by) => {
    const tenant = await newTenant();
    const rows = paidRows(23, NOW_MS);
    await writeInvoices(database.pool, tenant, rows);
    await database.pool.query(
      `UPDATE invoices SET amount_minor = 9 WHERE merchant_id = $1 AND right(id, 1) < 'g'`,
      [tenant.merchantId],
    );
    const dear = rows.filter(({ id }) => (id.at(-1) ?? '') >= 'g');
    const filters = { by, minAmountMinor: 10n };
    for (const isOldestFirst of [false, true]) {
      const found = await idsOf(tenant, filters, { lookedAt: 2, isOldestFirst });
      const expected = sorted(dear, by);
      expect(found).toEqual(isOldestFirst ? expected.toReversed() : expected);
    }
  },
);

it('by payment, a search and other filters narrow what was paid on the days, in any state but PAID nothing', async () => {
  const tenant = await newTenant();
  const rows = paidRows(6, NOW_MS);
  await writeInvoices(database.pool, tenant, rows);
  const span = { fromMs: NOW_MS + 1_000, untilMs: NOW_MS + 2_000 };
  const [, , early, late] = rows;
  const ids = [early?.id ?? '', late?.id ?? ''];
  expect(new Set(await idsOf(tenant, { by: 'paid', ...span }))).toEqual(new Set(ids));
  // The merchant's id of each is its own, and all have one amount.
  expect(await idsOf(tenant, { by: 'paid', ...span, search: ids[0] })).toEqual([ids[0]]);
  expect(await idsOf(tenant, { by: 'paid', ...span, search: rows[0]?.id })).toEqual([]);
  expect(await idsOf(tenant, { by: 'paid', ...span, search: '15' })).toEqual(ids);
  expect(await idsOf(tenant, { by: 'paid', ...span, currency: 'RUB' })).toEqual([ids[0]]);
  expect(await idsOf(tenant, { by: 'paid', ...span, statuses: ['EXPIRED'] })).toEqual([]);
  expect(await idsOf(tenant, { by: 'paid', ...span, statuses: ['EXPIRED', 'PAID'] })).toHaveLength(
    2,
  );
});

it('a list of a reusable link has its invoices alone, and of another merchant’s link none', async () => {
  const tenant = await newTenant();
  const rows = paidRows(8, NOW_MS);
  await writeInvoices(database.pool, tenant, rows);
  const { id: linkId } = await createTestLink(database.pool, tenant, { now: new Date(NOW_MS) });
  const ordered = rows.filter((_, n) => n % 2 === 0);
  await database.pool.query(
    'INSERT INTO payment_link_uses (invoice_id, link_id, quantity) SELECT unnest($1::text[]), $2, 1',
    [ordered.map(({ id }) => id), linkId],
  );
  for (const by of ['created', 'paid'] as const) {
    for (const isOldestFirst of [false, true]) {
      const expected = sorted(ordered, by);
      const found = await idsOf(tenant, { by, linkId }, { isOldestFirst, lookedAt: 3 });
      expect(found).toEqual(isOldestFirst ? expected.toReversed() : expected);
    }
    expect(await idsOf(await newTenant(), { by, linkId })).toEqual([]);
  }
  const [first] = ordered;
  expect(await idsOf(tenant, { linkId, search: '15' })).toEqual(sorted(ordered, 'created'));
  expect(await idsOf(tenant, { linkId, currency: first?.currency, by: 'paid' })).toHaveLength(2);
});
