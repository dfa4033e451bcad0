import { afterAll, beforeAll, expect, it } from 'vitest';
import { seedDemo } from '../../demo/seed.ts';
import { CURRENCIES } from '../../lib/money.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/database/database.ts';
import { createMerchantFixture, type MerchantFixture } from '../../testing/factories.ts';
import { NO_FILTERS } from '../../testing/invoices.ts';
import { listInvoices } from './list.ts';
import type { InvoiceFilters } from './list-types.ts';
import { readSpans } from './overview.ts';

const NOW = new Date('2026-11-21T12:00:00.000Z');
const DAY_MS = 86_400_000;
const EDGES_MS = Array.from({ length: 8 }, (_, index) => NOW.getTime() - (7 - index) * DAY_MS);

let database: TestDatabase;
let merchant: MerchantFixture;
beforeAll(async () => {
  database = await createTestDatabase();
  merchant = await createMerchantFixture(database.pool);
  await seedDemo(database.pool, {
    merchantId: merchant.id,
    invoices: 2_500,
    seed: 3,
    publicUrl: 'http://localhost:3000',
    actor: { type: 'operator', id: null, label: 'test' },
    now: NOW,
    onProgress: () => undefined,
  });
});
afterAll(() => database.drop());

/** The rows of a figure's list and their sum. */
async function listed(filters: Partial<InvoiceFilters>) {
  let [count, amountMinor]: [number, bigint] = [0, 0n];
  let cursor: string | null = null;
  do {
    const page = { filters: { ...NO_FILTERS, ...filters }, cursor, limit: 200 };
    const answer = await listInvoices(database.pool, merchant.sandbox.tenant, page);
    count += answer.invoices.length;
    for (const invoice of answer.invoices) amountMinor += invoice.amountMinor;
    cursor = answer.nextCursor;
  } while (cursor !== null);
  return { count, amountMinor };
}

it('counts and sums, day by day, exactly what the list behind a figure holds', async () => {
  const spans = await readSpans(database.pool, merchant.sandbox.tenant, EDGES_MS);
  expect(spans).toHaveLength(7);
  for (const [index, span] of spans.entries()) {
    const dates = { fromMs: EDGES_MS[index] ?? 0, untilMs: EDGES_MS[index + 1] ?? 0 };
    expect(span.created).toBe((await listed(dates)).count);
    expect(span.paid).toBe((await listed({ ...dates, statuses: ['PAID'] })).count);
    for (const currency of CURRENCIES) {
      const volume = span.volumes.find((each) => each.currency === currency);
      expect({ count: volume?.paid ?? 0, amountMinor: volume?.amountMinor ?? 0n }).toEqual(
        await listed({ ...dates, statuses: ['PAID'], currency }),
      );
    }
  }
});

it('is the same however the time is cut, and nothing of another environment', async () => {
  const ends = [EDGES_MS[0] ?? 0, EDGES_MS[7] ?? 0];
  const days = await readSpans(database.pool, merchant.sandbox.tenant, EDGES_MS);
  const [whole] = await readSpans(database.pool, merchant.sandbox.tenant, ends);
  expect(whole?.created).toBe(days.reduce((sum, { created }) => sum + created, 0));
  expect(whole?.created).toBeGreaterThan(100);
  const [other] = await readSpans(database.pool, merchant.production.tenant, ends);
  expect(other).toEqual({ created: 0, paid: 0, volumes: [] });
});

it('needs no more for the sums than an index holds', async () => {
  const client = await database.pool.connect();
  // Other plans are cheaper with so few rows: they are disabled, so that only the index is left.
  await client.query(`BEGIN;
    ALTER TABLE invoices DROP CONSTRAINT invoices_pkey CASCADE;
    DROP INDEX invoices_merchant_id_environment_id_idx, invoices_final_amount, invoices_by_payment,
      invoices_final_by_currency, invoices_pending_by_currency,
      invoices_merchant_id_environment_merchant_transaction_id_key;
    SET LOCAL enable_seqscan = off; SET LOCAL enable_bitmapscan = off`);
  const { rows } = await client.query<{ 'QUERY PLAN': string }>(
    `EXPLAIN SELECT currency, sum(amount_minor) FROM invoices
     WHERE merchant_id = '${merchant.id}' AND environment = 'sandbox' AND status = 'PAID'
       AND id >= 'inv_' AND id < 'inv_z' GROUP BY currency`,
  );
  await client.query('ROLLBACK');
  client.release();
  const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
  expect(plan).toContain('Index Only Scan using invoices_final_status_sums');
});
