import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { newId } from '../../lib/ids.ts';
import { CURRENCIES } from '../../lib/money.ts';
import type { Tenant } from '../../merchants/types.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/database/database.ts';
import { createMerchantFixture } from '../../testing/factories.ts';
import {
  createTestInvoice,
  NO_RECORD_FILTERS,
  type WrittenInvoice,
  writeInvoices,
} from '../../testing/invoices.ts';
import { invoiceListText } from '../../wire/invoice-records.ts';
import { parseListQuery } from '../../wire/list-query.ts';
import { INVOICE_STATUSES, isByPayment, type RecordFilters } from '../types.ts';
import { listRecords } from './record-list.ts';

const T0 = Date.parse('2026-11-21T12:00:00.000Z');
const NOW = new Date(T0 + 60_000);
const CONTEXT = { now: NOW, requestId: null };
const RUNS = 40;

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

// Few times, so that many invoices share one; the one of the change is after that of the creation.
const invoices = fc.array(
  fc.record({
    at: fc.nat(5),
    paidAfter: fc.nat(4),
    status: fc.constantFrom(...INVOICE_STATUSES),
    currency: fc.constantFrom(...CURRENCIES),
  }),
  { maxLength: 30 },
);
const bound = fc.option(fc.nat(10), { freq: 2 });
const filters = fc.record({
  status: fc.option(fc.constantFrom(...INVOICE_STATUSES), { freq: 1 }),
  currency: fc.option(fc.constantFrom(...CURRENCIES), { freq: 1 }),
  createdFromMs: bound,
  createdToMs: bound,
  paidFromMs: bound,
  paidToMs: bound,
});

type Made = { at: number; paidAfter: number } & Pick<WrittenInvoice, 'status' | 'currency'>;

function toWritten({ at, paidAfter, status, currency }: Made): WrittenInvoice {
  const createdAtMs = T0 + at;
  const changedAtMs = status === 'PENDING' ? createdAtMs : createdAtMs + paidAfter;
  return { id: newId('inv', createdAtMs), createdAtMs, changedAtMs, status, currency };
}

function passes(invoice: WrittenInvoice, asked: RecordFilters): boolean {
  const within = (ms: number, fromMs: number | null, toMs: number | null) =>
    ms >= (fromMs ?? 0) && ms < (toMs ?? Number.POSITIVE_INFINITY);
  return (
    invoice.status === (asked.status ?? invoice.status) &&
    invoice.currency === (asked.currency ?? invoice.currency) &&
    within(invoice.createdAtMs, asked.createdFromMs, asked.createdToMs) &&
    (!isByPayment(asked) || invoice.status === 'PAID') &&
    (!isByPayment(asked) || within(invoice.changedAtMs, asked.paidFromMs, asked.paidToMs))
  );
}

/** The list's order. */
function sorted(all: WrittenInvoice[], byPayment: boolean): string[] {
  const key = ({ id, changedAtMs }: WrittenInvoice) => (byPayment ? `${changedAtMs} ${id}` : id);
  return [...all].sort((a, b) => (key(a) < key(b) ? 1 : -1)).map(({ id }) => id);
}

const QUERY_NAMES = {
  createdFromMs: 'created_from',
  createdToMs: 'created_to',
  paidFromMs: 'paid_from',
  paidToMs: 'paid_to',
} as const;

/** The pages' ids, by the query's own texts; `between` runs after each page. */
async function follow(
  tenant: Tenant,
  asked: RecordFilters,
  limit: number,
  between: (page: number) => Promise<void>,
): Promise<string[][]> {
  const query = new URLSearchParams({ limit: String(limit) });
  if (asked.status) query.set('status', String(INVOICE_STATUSES.indexOf(asked.status) + 1));
  if (asked.currency) query.set('currency', asked.currency);
  for (const [name, parameter] of Object.entries(QUERY_NAMES)) {
    const ms = asked[name as keyof typeof QUERY_NAMES];
    if (ms !== null) query.set(parameter, String(ms));
  }
  const pages: string[][] = [];
  for (;;) {
    const request = parseListQuery(query);
    if (!request.ok) throw new Error(JSON.stringify(request.detail));
    const page = await listRecords(database.pool, tenant, request.value, CONTEXT);
    const { invoices: shown, next_cursor: next } = JSON.parse(invoiceListText(page, ''));
    pages.push(shown.map((each: { invoice_id: string }) => each.invoice_id));
    if (next === null) return pages;
    query.set('cursor', next);
    await between(pages.length);
  }
}

it('following the cursors gives what was there at the first call once, whatever comes meanwhile', async () => {
  const property = fc.asyncProperty(
    invoices,
    fc.array(invoices, { minLength: 3, maxLength: 3 }),
    filters,
    fc.integer({ min: 1, max: 7 }),
    async (first, later, given, limit) => {
      const { tenant } = (await createMerchantFixture(database.pool)).sandbox;
      const since = (ms: number | null) => (ms === null ? null : T0 + ms);
      const asked = {
        ...given,
        createdFromMs: since(given.createdFromMs),
        createdToMs: since(given.createdToMs),
        paidFromMs: since(given.paidFromMs),
        paidToMs: since(given.paidToMs),
      };
      const existing = first.map(toWritten);
      await writeInvoices(database.pool, tenant, existing);
      const wanted = existing.filter((each) => passes(each, asked));
      const byPayment = isByPayment(asked);

      const quiet = await follow(tenant, asked, limit, async () => undefined);
      expect(quiet.flat()).toEqual(sorted(wanted, byPayment));
      for (const page of quiet.slice(0, -1)) expect(page).toHaveLength(limit);

      const added: WrittenInvoice[] = [];
      const busy = (
        await follow(tenant, asked, limit, async (page) => {
          const more = (later[page - 1] ?? []).map(toWritten);
          added.push(...more);
          await writeInvoices(database.pool, tenant, more);
        })
      ).flat();
      expect(new Set(busy).size).toBe(busy.length);
      const ids = new Set(added.map(({ id }) => id));
      expect(busy.filter((id) => !ids.has(id))).toEqual(sorted(wanted, byPayment));
      const allowed = sorted(
        [...wanted, ...added.filter((each) => passes(each, asked))],
        byPayment,
      );
      expect(allowed.filter((id) => busy.includes(id))).toEqual(busy);
    },
  );
  await fc.assert(property, { numRuns: RUNS, endOnFailure: true });
}, 120_000);

it('what is past its end is expired by the list, and leaves a list of pending ones', async () => {
  const { tenant } = (await createMerchantFixture(database.pool)).sandbox;
  const ends = { now: new Date(T0), endDateMs: NOW.getTime() - 1 };
  const list = async (asked: Partial<RecordFilters>) => {
    const request = { filters: { ...NO_RECORD_FILTERS, ...asked }, limit: 50, after: null };
    const { records } = await listRecords(database.pool, tenant, request, CONTEXT);
    return records.map(({ id, status }) => [id, status]);
  };
  const [one, other] = [
    await createTestInvoice(database.pool, tenant, ends),
    await createTestInvoice(database.pool, tenant, { ...ends, endDateMs: NOW.getTime() }),
  ];
  expect(await list({ status: 'PENDING' })).toEqual([[other, 'PENDING']]);
  expect(await list({})).toEqual(
    [
      [one, 'EXPIRED'],
      [other, 'PENDING'],
    ].sort(([a = ''], [b = '']) => (a < b ? 1 : -1)),
  );
  const third = await createTestInvoice(database.pool, tenant, ends);
  const expired = (await list({ status: 'EXPIRED' })).map(([id]) => id);
  expect(expired.sort()).toEqual([one, third].sort());
  const { rows } = await database.pool.query(
    'SELECT invoice_id FROM callbacks WHERE merchant_id = $1 ORDER BY invoice_id',
    [tenant.merchantId],
  );
  expect(rows.map((row) => row.invoice_id)).toEqual([one, third].sort());
});

it('another merchant’s invoices, and those of the other environment, are in no list', async () => {
  const [merchant, other] = await Promise.all(
    [1, 2].map(() => createMerchantFixture(database.pool)),
  );
  if (!merchant || !other) throw new Error('no merchants');
  const at = { now: new Date(T0), endDateMs: NOW.getTime() + 60_000 };
  const own = await createTestInvoice(database.pool, merchant.sandbox.tenant, at);
  await createTestInvoice(database.pool, merchant.production.tenant, at);
  await createTestInvoice(database.pool, other.sandbox.tenant, at);
  for (const status of [null, 'PENDING'] as const) {
    const request = { filters: { ...NO_RECORD_FILTERS, status }, limit: 50, after: null };
    const { tenant } = merchant.sandbox;
    const { records } = await listRecords(database.pool, tenant, request, CONTEXT);
    expect(records.map(({ id }) => id)).toEqual([own]);
  }
});
