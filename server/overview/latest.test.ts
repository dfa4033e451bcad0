import { afterAll, beforeAll, expect, it } from 'vitest';
import { openPool } from '../db/pool.ts';
import { createTestDatabase, type TestDatabase } from '../testing/database/database.ts';
import { rowsRead } from '../testing/database/rows-read.ts';
import { createMerchantFixture } from '../testing/factories.ts';
import { writePayments } from '../testing/register.ts';
import { latestPayments } from './latest.ts';

const NOW_MS = Date.parse('2026-11-21T12:00:00.000Z');

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

it('the last payments of all currencies are read from the ends of an index', async () => {
  const pool = openPool(database.url, 1);
  const { tenant } = (await createMerchantFixture(pool)).sandbox;
  await pool.query(
    `INSERT INTO invoices (id, merchant_id, environment, merchant_transaction_id, status,
       amount_minor, currency, description, positions, end_date, created_at, status_changed_at,
       capture_attempt_id)
     SELECT 'inv_' || lpad(n::text, 10, '0'), $1, 'sandbox', 'order-' || n, 'PAID', n, 'UZS', 'x', '[]',
       at, at, at, 'pay_x'
     FROM generate_series(1, 20000) n
     CROSS JOIN LATERAL (SELECT $2::timestamptz - n * interval '1 minute' AS at) t`,
    [tenant.merchantId, new Date(NOW_MS)],
  );
  const payment = { feeMinor: null, refunds: [] };
  const [dollars] = await writePayments(pool, tenant, [
    { ...payment, atMs: NOW_MS - 90_000, currency: 'USD', amountMinor: 5 },
  ]);
  await pool.query('VACUUM ANALYZE');
  const calls = 10;
  const { invoices } = await rowsRead(pool, async () => {
    for (let call = 0; call < calls; call++) await latestPayments(pool, tenant);
  });
  expect(invoices?.scans).toBe(0);
  expect(invoices?.indexed).toBeLessThan(calls * 20);
  const latest = await latestPayments(pool, tenant);
  expect(latest.map(({ amountMinor }) => amountMinor)).toEqual([1n, 5n, 2n, 3n, 4n, 5n]);
  expect(latest[1]).toMatchObject({ invoiceId: dollars, cardLast4: '4242', account: null });
  await pool.end();
});
