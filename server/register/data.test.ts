import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { CURRENCIES, type Currency } from '../lib/money.ts';
import { dayOf, spanOfDay, startOfDay } from '../lib/zone-days.ts';
import type { Tenant } from '../merchants/types.ts';
import { createTestDatabase, type TestDatabase } from '../testing/database/database.ts';
import { createMerchantFixture } from '../testing/factories.ts';
import { type WrittenPayment, writePayments } from '../testing/register.ts';
import { readRegister, sumRegister } from './data.ts';
import type { RegisterKind, RegisterRow, Span } from './types.ts';

const HOUR_MS = 3_600_000;
let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const newTenant = async (): Promise<Tenant> =>
  (await createMerchantFixture(database.pool)).sandbox.tenant;

/** All rows of a span, in pages of a few. */
async function rowsOf(tenant: Tenant, span: Span, limit = 7): Promise<RegisterRow[]> {
  const rows: RegisterRow[] = [];
  let cursor: string | null = null;
  do {
    const page = await readRegister(database.pool, tenant, span, { cursor, limit });
    rows.push(...page.rows);
    cursor = page.nextCursor;
  } while (cursor !== null);
  return rows;
}

// The days with a change of clocks and their hours; Tashkent has none.
const CHANGES = [
  ['Europe/Berlin', '2026-03-29', 23],
  ['Europe/Berlin', '2026-10-25', 25],
  ['America/New_York', '2026-03-08', 23],
  ['America/New_York', '2026-11-01', 25],
  ['Asia/Tashkent', '2026-10-25', 24],
] as const;

type Moved = { kind: RegisterKind; atMs: number; currency: Currency; amount: number; fee: number };

function movedBy({ atMs, currency, amountMinor, feeMinor, refunds }: WrittenPayment): Moved[] {
  const fee = feeMinor ?? 0;
  return [
    { kind: 'payment', atMs, currency, amount: amountMinor, fee },
    ...refunds.flatMap(({ amountMinor: amount, succeededAtMs, returnedAtMs }): Moved[] => [
      { kind: 'refund', atMs: succeededAtMs, currency, amount: -amount, fee: 0 },
      ...(returnedAtMs === null
        ? []
        : [{ kind: 'refund_returned' as const, atMs: returnedAtMs, currency, amount, fee: 0 }]),
    ]),
  ];
}

const order = (a: string, b: string): number => (a < b ? -1 : 1);
const textOf = (kind: string, atMs: number, currency: string, amount: bigint | number): string =>
  `${atMs} ${kind} ${currency} ${amount}`;

/** Times from a day before the change to a day after it, often at the very edges of its days. */
function timesAround(day: string, zone: string): fc.Arbitrary<number> {
  const edges = [-1, 0, 1, 2].map((by) => startOfDay(day, by, zone) ?? 0);
  const [fromMs = 0] = edges;
  return fc.oneof(
    fc.integer({ min: fromMs, max: (edges.at(-1) ?? 0) - 1 }),
    fc
      .tuple(fc.constantFrom(...edges.slice(1, 3)), fc.constantFrom(-1, 0, 1))
      .map(([ms, by]) => ms + by),
  );
}

const paymentsAround = (day: string, zone: string): fc.Arbitrary<WrittenPayment[]> => {
  const at = timesAround(day, zone);
  const refund = fc.record({
    amountMinor: fc.integer({ min: 1, max: 400 }),
    succeededAtMs: at,
    returnedAtMs: fc.option(at),
  });
  const payment = fc.record({
    atMs: at,
    currency: fc.constantFrom(...CURRENCIES),
    amountMinor: fc.integer({ min: 1_000, max: 9_007_199_254_740 }),
    feeMinor: fc.option(fc.integer({ min: 0, max: 900 })),
    refunds: fc.array(refund, { maxLength: 2 }),
  });
  return fc.array(payment, { minLength: 1, maxLength: 14 });
};

it.each(CHANGES)(
  'a register in %s around %s, a day of %i hours, has every movement on exactly one day, and its sums',
  async (zone, changed, hours) => {
    const { fromMs, untilMs } = spanOfDay(changed, zone);
    expect((untilMs - fromMs) / HOUR_MS).toBe(hours);
    await fc.assert(
      fc.asyncProperty(paymentsAround(changed, zone), async (payments) => {
        const tenant = await newTenant();
        await writePayments(database.pool, tenant, payments);
        const moved = payments.flatMap(movedBy);
        const days = [...new Set(moved.map(({ atMs }) => dayOf(atMs, zone)))];
        let found = 0;
        for (const day of days) {
          const span = spanOfDay(day, zone);
          const rows = await rowsOf(tenant, span);
          found += rows.length;
          // The calendar tells the day of a time without knowing when the day begins.
          const ofDay = moved.filter(({ atMs }) => dayOf(atMs, zone) === day);
          expect(
            rows
              .map((row) => textOf(row.kind, row.atMs, row.currency, row.amountMinor))
              .sort(order),
          ).toEqual(ofDay.map((m) => textOf(m.kind, m.atMs, m.currency, m.amount)).sort(order));
          expect(rows.map(({ atMs }) => atMs)).toEqual(
            rows.map(({ atMs }) => atMs).sort((a, b) => a - b),
          );
          const totals = await sumRegister(database.pool, tenant, span);
          expect(totals.map(({ currency }) => currency).sort()).toEqual(
            [...new Set(ofDay.map(({ currency }) => currency))].sort(),
          );
          for (const total of totals) {
            const own = rows.filter(({ currency }) => currency === total.currency);
            const sum = (part: RegisterRow[], of: (row: RegisterRow) => bigint | null): bigint =>
              part.reduce((all, row) => all + (of(row) ?? 0n), 0n);
            const kind = (wanted: RegisterKind) => own.filter((row) => row.kind === wanted);
            expect(total).toEqual({
              currency: total.currency,
              payments: kind('payment').length,
              grossMinor: sum(kind('payment'), (row) => row.amountMinor),
              refunds: kind('refund').length,
              refundedMinor: -sum(
                [...kind('refund'), ...kind('refund_returned')],
                (row) => row.amountMinor,
              ),
              feeMinor: sum(own, (row) => row.feeMinor),
              feesUnknown: kind('payment').filter(({ feeMinor }) => feeMinor === null).length,
              netMinor: sum(own, (row) => row.netMinor),
            });
          }
        }
        expect(found).toBe(moved.length);
      }),
      { numRuns: 8 },
    );
  },
);

it('a register shows what an accountant looks for, and nothing of another merchant', async () => {
  const [tenant, other] = [await newTenant(), await newTenant()];
  const atMs = Date.parse('2026-11-28T10:00:00.000Z');
  const payment = { atMs, currency: 'USD', amountMinor: 1_500, feeMinor: 45 } as const;
  const refund = { amountMinor: 500, succeededAtMs: atMs + 1_000, returnedAtMs: null };
  const [invoiceId] = await writePayments(database.pool, tenant, [
    { ...payment, refunds: [refund] },
  ]);
  await writePayments(database.pool, other, [{ ...payment, refunds: [] }]);
  const rows = await rowsOf(tenant, spanOfDay('2026-11-28', 'UTC'));
  const shared = {
    invoiceId,
    merchantTransactionId: `order ${invoiceId}`,
    description: 'Two tickets',
    account: 'sandbox',
    cardBrand: 'visa',
    cardLast4: '4242',
    paymentReference: `sbx_${invoiceId}`,
    currency: 'USD',
    refundTransactionId: null,
  };
  expect(rows).toEqual([
    {
      ...shared,
      kind: 'payment',
      atMs,
      refundId: null,
      amountMinor: 1_500n,
      feeMinor: 45n,
      netMinor: 1_455n,
    },
    {
      ...shared,
      kind: 'refund',
      atMs: atMs + 1_000,
      refundId: expect.stringMatching(/^ref_/),
      amountMinor: -500n,
      feeMinor: null,
      netMinor: -500n,
    },
  ]);
});
