import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../testing/database/database.ts';
import { writePayments } from '../testing/register.ts';
import { createStaffedShop, type StaffedShop } from '../testing/staff.ts';

// Half past one in the night of the 22nd in Tashkent, where merchants are by default.
const NOW = new Date('2026-11-21T20:30:00.000Z');
const MIDNIGHT_MS = Date.parse('2026-11-21T19:00:00.000Z');
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

let database: TestDatabase;
let shop: StaffedShop;
let serial = 0;
beforeAll(async () => {
  database = await createTestDatabase();
  shop = await newShop();
});
afterAll(() => database.drop());

const newShop = () => createStaffedShop(database.pool, NOW, `owner-${++serial}@example.com`);
const paid = (atMs: number, amountMinor: number, feeMinor: number | null = null) => ({
  ...{ atMs, currency: 'UZS' as const, amountMinor, feeMinor },
  refunds: [] as { amountMinor: number; succeededAtMs: number; returnedAtMs: number | null }[],
});

it('today and yesterday begin at the merchant’s midnight, and are compared up to the same time', async () => {
  const { calls, sandboxTenant } = await newShop();
  const yesterdayMs = MIDNIGHT_MS - DAY_MS;
  await writePayments(database.pool, sandboxTenant, [
    paid(yesterdayMs - 1, 1),
    paid(yesterdayMs, 10, 2),
    paid(yesterdayMs + 1.5 * HOUR_MS, 100),
    paid(MIDNIGHT_MS - 1, 1_000, 3),
    {
      ...paid(MIDNIGHT_MS, 10_000, 50),
      refunds: [{ amountMinor: 400, succeededAtMs: MIDNIGHT_MS + HOUR_MS, returnedAtMs: null }],
    },
  ]);
  const { today, yesterday, soFar } = await calls().overview.today();
  const sums = { currency: 'UZS', refunds: 0, refundedMinor: 0n, feesUnknown: 0 };
  expect(today).toEqual({
    day: '2026-11-22',
    totals: [
      {
        ...{ ...sums, payments: 1, grossMinor: 10_000n, refunds: 1, refundedMinor: 400n },
        ...{ feeMinor: 50n, netMinor: 9_550n },
      },
    ],
  });
  expect(yesterday).toEqual({
    day: '2026-11-21',
    totals: [
      {
        ...{ ...sums, payments: 3, grossMinor: 1_110n, feeMinor: 5n, feesUnknown: 1 },
        netMinor: 1_105n,
      },
    ],
  });
  expect(soFar).toEqual({
    untilMs: yesterdayMs + 1.5 * HOUR_MS,
    totals: [{ ...sums, payments: 1, grossMinor: 10n, feeMinor: 2n, netMinor: 8n }],
  });
});

it('the chart counts money on the day of its payment or on that of its invoice', async () => {
  const { calls, sandboxTenant } = await newShop();
  const { pool } = database;
  const [id] = await writePayments(pool, sandboxTenant, [
    {
      ...paid(MIDNIGHT_MS - DAY_MS, 900),
      refunds: [{ amountMinor: 300, succeededAtMs: MIDNIGHT_MS + 2, returnedAtMs: null }],
    },
  ]);
  // Created a day before it was paid.
  await pool.query('UPDATE invoices SET status_changed_at = $2 WHERE id = $1', [
    id,
    new Date(MIDNIGHT_MS + 1),
  ]);
  const edgesMs = [-3, -2, -1, 0, 1].map((days) => MIDNIGHT_MS + days * DAY_MS);
  const money = (payments: number, gross: number, refunded: number) => [
    { currency: 'UZS', payments, grossMinor: BigInt(gross), refundedMinor: BigInt(refunded) },
  ];
  const chart = (by: 'paid' | 'created') => calls().overview.chart({ edgesMs, by });
  expect(await chart('paid')).toEqual({ before: [], days: [[], money(1, 900, 300)] });
  expect(await chart('created')).toEqual({ before: [], days: [money(1, 900, 300), []] });
  const shifted = edgesMs.map((ms) => ms + 2 * DAY_MS);
  expect((await calls().overview.chart({ edgesMs: shifted, by: 'created' })).before).toEqual(
    money(1, 900, 300),
  );
});

it('edges that go back are refused, and equal ones are not', async () => {
  const { overview } = shop.calls();
  const chart = (edgesMs: number[]) => overview.chart({ edgesMs, by: 'paid' });
  expect((await chart([0, 0, 5, 5, 5])).days).toHaveLength(2);
  for (const edgesMs of [
    [0, 0, 0, 10, 5],
    [0, 10, 0, 10],
  ]) {
    await expect(chart(edgesMs)).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  }
});
