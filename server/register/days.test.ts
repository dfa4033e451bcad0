import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openPool } from '../db/pool.ts';
import { CURRENCIES } from '../lib/money.ts';
import { dayOf, shiftedDay, spanOfDay, startOfDay } from '../lib/zone-days.ts';
import { createTestDatabase, type TestDatabase } from '../testing/database/database.ts';
import { rowsRead } from '../testing/database/rows-read.ts';
import { createMerchantFixture } from '../testing/factories.ts';
import { type WrittenPayment, writePayments } from '../testing/register.ts';
import { sumRegisters } from './data.ts';
import { sumByPayment } from './days.ts';

const HOUR_MS = 3_600_000;
let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

// The days with a change of clocks and their hours; Tashkent has none.
const CHANGES = [
  ['Europe/Berlin', '2026-03-29', 23],
  ['Europe/Berlin', '2026-10-25', 25],
  ['Asia/Tashkent', '2026-10-25', 24],
] as const;

/** Payments around a day, often at its very edges. */
function paymentsAround(day: string, zone: string): fc.Arbitrary<WrittenPayment[]> {
  const edges = [-1, 0, 1, 2].map((by) => startOfDay(day, by, zone) ?? 0);
  const at = fc.oneof(
    fc.integer({ min: edges[0] ?? 0, max: (edges.at(-1) ?? 0) - 1 }),
    fc.tuple(fc.constantFrom(...edges.slice(1, 3)), fc.constantFrom(-1, 0)).map(([a, b]) => a + b),
  );
  const refund = fc.record({
    amountMinor: fc.integer({ min: 1, max: 400 }),
    succeededAtMs: at,
    returnedAtMs: fc.option(at),
  });
  const payment = fc.record({
    atMs: at,
    currency: fc.constantFrom(...CURRENCIES),
    amountMinor: fc.integer({ min: 1_000, max: 9_007_199_254_740 }),
    feeMinor: fc.constant(null),
    refunds: fc.array(refund, { maxLength: 2 }),
  });
  return fc.array(payment, { minLength: 1, maxLength: 10 });
}

it.each(CHANGES)(
  'the days in %s around %s, which has %i hours, have what the calendar and the register say',
  async (zone, changed, hours) => {
    const days = [-1, 0, 1].map((by) => shiftedDay(changed, by));
    const spans = days.map((day) => spanOfDay(day, zone));
    const edgesMs = [...spans.map(({ fromMs }) => fromMs), spans.at(-1)?.untilMs ?? 0];
    expect(((edgesMs[2] ?? 0) - (edgesMs[1] ?? 0)) / HOUR_MS).toBe(hours);
    await fc.assert(
      fc.asyncProperty(paymentsAround(changed, zone), async (payments) => {
        const { tenant } = (await createMerchantFixture(database.pool)).sandbox;
        await writePayments(database.pool, tenant, payments);
        const sums = await sumByPayment(database.pool, tenant, edgesMs);
        for (const [index, day] of days.entries()) {
          const paid = payments.filter(({ atMs }) => dayOf(atMs, zone) === day);
          expect(sums[index]?.reduce((sum, { payments: count }) => sum + count, 0)).toBe(
            paid.length,
          );
          expect(sums[index]?.reduce((sum, { grossMinor }) => sum + grossMinor, 0n)).toBe(
            paid.reduce((sum, { amountMinor }) => sum + BigInt(amountMinor), 0n),
          );
        }
        const register = await sumRegisters(database.pool, tenant, spans);
        expect(sums).toEqual(
          register.map((totals) =>
            totals.map(({ currency, payments: count, grossMinor, refundedMinor }) => ({
              ...{ currency, payments: count, grossMinor, refundedMinor },
            })),
          ),
        );
      }),
      { numRuns: 8 },
    );
  },
);

it('a day of a merchant with a long history reads that day alone, from the index', async () => {
  const pool = openPool(database.url, 1);
  const { tenant } = (await createMerchantFixture(pool)).sandbox;
  const untilMs = Date.parse('2026-11-21T00:00:00.000Z');
  const [count, ofDay] = [20_000, 240];
  await pool.query(
    `INSERT INTO invoices (id, merchant_id, environment, merchant_transaction_id, status,
       amount_minor, currency, description, positions, end_date, created_at, status_changed_at,
       capture_attempt_id)
     SELECT 'inv_' || lpad(n::text, 10, '0'), $1, 'sandbox', 'order-' || n, 'PAID', n, 'UZS', 'x', '[]',
       at, at, at, 'pay_x'
     FROM generate_series(1, $2::int) n
     CROSS JOIN LATERAL (SELECT $3::timestamptz - n * interval '6 minutes' AS at) t`,
    [tenant.merchantId, count, new Date(untilMs)],
  );
  await pool.query('VACUUM ANALYZE');
  const edgesMs = [untilMs - 24 * HOUR_MS, untilMs];
  const calls = 10;
  const { invoices } = await rowsRead(pool, async () => {
    for (let call = 0; call < calls; call++) await sumByPayment(pool, tenant, edgesMs);
  });
  expect(invoices?.scans).toBe(0);
  expect(invoices?.indexed).toBe(calls * ofDay);
  const [day] = await sumByPayment(pool, tenant, edgesMs);
  expect(day).toMatchObject([{ payments: ofDay, grossMinor: BigInt((ofDay * (ofDay + 1)) / 2) }]);
  await pool.end();
});
