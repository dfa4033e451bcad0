import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { CURRENCIES } from '../lib/money.ts';
import { dayOf, spanOfDay, startOfDay } from '../lib/zone-days.ts';
import type { Tenant } from '../merchants/types.ts';
import { createTestDatabase, type TestDatabase } from '../testing/database/database.ts';
import { createMerchantFixture } from '../testing/factories.ts';
import { NO_FILTERS } from '../testing/invoices.ts';
import { type WrittenPayment, writePayments } from '../testing/register.ts';
import { sumList } from './list-totals.ts';

const NOW_MS = Date.parse('2026-11-21T12:00:00.000Z');
let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const newTenant = async (): Promise<Tenant> =>
  (await createMerchantFixture(database.pool)).sandbox.tenant;

/** Writes payments, and on each invoice what its refunds come to. */
async function write(tenant: Tenant, payments: readonly WrittenPayment[]): Promise<void> {
  await writePayments(database.pool, tenant, payments);
  await database.pool.query(
    `UPDATE invoices i SET refunded_minor = (
       SELECT coalesce(sum(amount_minor), 0) FROM refunds r
       WHERE r.invoice_id = i.id AND r.status <> 'FAILED')
     WHERE merchant_id = $1`,
    [tenant.merchantId],
  );
}

const sum = (amounts: readonly number[]): bigint =>
  amounts.reduce((total, each) => total + BigInt(each), 0n);

/** The totals of payments, added up one by one. */
function totalsOf(payments: readonly WrittenPayment[]) {
  return CURRENCIES.toSorted().flatMap((currency) => {
    const own = payments.filter((each) => each.currency === currency);
    if (own.length === 0) return [];
    const refunds = own.flatMap((each) =>
      each.refunds.filter(({ returnedAtMs }) => returnedAtMs === null),
    );
    const grossMinor = sum(own.map(({ amountMinor }) => amountMinor));
    const refundedMinor = sum(refunds.map(({ amountMinor }) => amountMinor));
    const feeMinor = sum(own.map(({ feeMinor: fee }) => fee ?? 0));
    return {
      currency,
      payments: own.length,
      grossMinor,
      refunds: refunds.length,
      refundedMinor,
      feeMinor,
      feesUnknown: own.filter((each) => each.feeMinor === null).length,
      netMinor: grossMinor - refundedMinor - feeMinor,
    };
  });
}

const byCurrency = <T extends { currency: string }>(totals: readonly T[]): T[] =>
  totals.toSorted((a, b) => (a.currency < b.currency ? -1 : 1));

const paymentsAround = (day: string, zone: string): fc.Arbitrary<WrittenPayment[]> => {
  const edges = [-1, 0, 1, 2].map((by) => startOfDay(day, by, zone) ?? 0);
  const at = fc.oneof(
    fc.integer({ min: edges[0] ?? 0, max: (edges[3] ?? 0) - 1 }),
    fc
      .tuple(fc.constantFrom(...edges.slice(1, 3)), fc.constantFrom(-1, 0, 1))
      .map(([ms, by]) => ms + by),
  );
  const refund = fc.record({
    amountMinor: fc.integer({ min: 1, max: 400 }),
    succeededAtMs: at,
    returnedAtMs: fc.option(at),
  });
  const payment = fc.record({
    atMs: at,
    currency: fc.constantFrom(...CURRENCIES),
    amountMinor: fc.integer({ min: 1_000, max: Number.MAX_SAFE_INTEGER }),
    feeMinor: fc.option(fc.integer({ min: 0, max: 900 })),
    refunds: fc.array(refund, { maxLength: 2 }),
  });
  return fc.array(payment, { minLength: 1, maxLength: 12 });
};

it.each([
  ['Europe/Berlin', '2026-03-29'],
  ['Europe/Berlin', '2026-10-25'],
  ['Asia/Tashkent', '2026-10-25'],
] as const)(
  'totals of a list by day in %s around %s are what its payments come to, to the unit',
  async (zone, changed) => {
    await fc.assert(
      fc.asyncProperty(paymentsAround(changed, zone), async (payments) => {
        const tenant = await newTenant();
        await write(tenant, payments);
        for (const day of new Set(payments.map(({ atMs }) => dayOf(atMs, zone)))) {
          const ofDay = payments.filter(({ atMs }) => dayOf(atMs, zone) === day);
          for (const by of ['paid', 'created'] as const) {
            const filters = { ...NO_FILTERS, by, ...spanOfDay(day, zone) };
            const { totals = [], ...rest } = (await sumList(database.pool, tenant, filters)) ?? {};
            expect(byCurrency(totals)).toEqual(totalsOf(ofDay));
            expect(rest).toEqual({ payments: ofDay.length, isPart: false });
          }
        }
      }),
      { numRuns: 10 },
    );
  },
  60_000,
);

const payment = (n: number): WrittenPayment => ({
  atMs: NOW_MS + n * 1_000,
  currency: n % 2 === 0 ? 'USD' : 'UZS',
  amountMinor: 1_000 + n,
  feeMinor: null,
  refunds: [],
});

it.each(['paid', 'created'] as const)(
  'totals by day %s of more payments than are summed up say so, and are those of the newest',
  async (by) => {
    const tenant = await newTenant();
    const payments = Array.from({ length: 7 }, (_, n) => payment(n));
    await write(tenant, payments);
    const filters = { ...NO_FILTERS, by };
    const all = await sumList(database.pool, tenant, filters, { most: 7, lookedAt: 7 });
    expect(all).toMatchObject({ payments: 7, isPart: false });
    const part = await sumList(database.pool, tenant, filters, { most: 5, lookedAt: 5 });
    expect(part).toMatchObject({ payments: 5, isPart: true });
    expect(byCurrency(part?.totals ?? [])).toEqual(totalsOf(payments.slice(2)));
    // A filter without an index stops after as many rows.
    const rare = { ...filters, minAmountMinor: 1_006n };
    expect(await sumList(database.pool, tenant, rare, { most: 3, lookedAt: 3 })).toMatchObject({
      payments: 1,
      isPart: true,
    });
  },
);

it('totals follow the list’s filters and search, and there are none of what is not paid', async () => {
  const tenant = await newTenant();
  const payments = Array.from({ length: 4 }, (_, n) => payment(n));
  await write(tenant, payments);
  const sumOf = (filters: Partial<typeof NO_FILTERS>) =>
    sumList(database.pool, tenant, { ...NO_FILTERS, ...filters });
  const one = await sumOf({ search: '10.03', by: 'paid' });
  expect(one?.totals).toEqual(totalsOf(payments.slice(3)));
  expect((await sumOf({ currency: 'USD' }))?.payments).toBe(2);
  expect(await sumOf({ statuses: ['EXPIRED'] })).toEqual({
    totals: [],
    payments: 0,
    isPart: false,
  });
  const stranger = await sumList(database.pool, await newTenant(), NO_FILTERS);
  expect(stranger?.payments).toBe(0);
});

it('totals that take longer than a person waits are none', async () => {
  const tenant = await newTenant();
  await write(tenant, [payment(0)]);
  const held = await database.pool.connect();
  await held.query('BEGIN; LOCK TABLE payment_attempts IN ACCESS EXCLUSIVE MODE');
  try {
    expect(await sumList(database.pool, tenant, NO_FILTERS, { mostMs: 100 })).toBeNull();
  } finally {
    await held.query('ROLLBACK');
    held.release();
  }
});
