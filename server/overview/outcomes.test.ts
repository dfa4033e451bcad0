import { afterAll, beforeAll, expect, it } from 'vitest';
import { openPool } from '../db/pool.ts';
import { noteOpening } from '../invoices/reading/openings.ts';
import type { Tenant } from '../merchants/types.ts';
import { createTestDatabase, type TestDatabase } from '../testing/database/database.ts';
import { rowsRead } from '../testing/database/rows-read.ts';
import { createMerchantFixture } from '../testing/factories.ts';
import { createTestInvoice } from '../testing/invoices.ts';
import { OUTCOMES_OF, readOutcomes } from './outcomes.ts';

const NOW = new Date('2026-11-21T12:00:00.000Z');
const DAY_MS = 24 * 3_600_000;
const SPAN = { fromMs: NOW.getTime() - DAY_MS, untilMs: NOW.getTime() + DAY_MS };

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

let attempts = 0;
/** An attempt at the sandbox's card form. */
async function attempt(invoiceId: string, status: string, reason: string | null = null) {
  const id = `pay_${++attempts}`;
  await database.pool.query(
    `INSERT INTO payment_attempts (id, invoice_id, status, provider, authorisation_id, amount_minor,
       currency, decline_reason, created_at, updated_at)
     SELECT $1, id, $3::attempt_status, 'sandbox', $1, amount_minor, currency, $4, $5, $5
     FROM invoices WHERE id = $2`,
    [id, invoiceId, status, reason, NOW],
  );
  if (status !== 'captured') return;
  await database.pool.query(
    `UPDATE invoices SET status = 'PAID', capture_attempt_id = $2,
       status_changed_at = created_at + interval '90 seconds' WHERE id = $1`,
    [invoiceId, id],
  );
}

it('the funnel counts each invoice once, and tells why attempts failed and which were approved', async () => {
  const { pool } = database;
  const { tenant } = (await createMerchantFixture(pool)).sandbox;
  const make = (of: Tenant, now = NOW) => createTestInvoice(pool, of, { now });
  const [unseen, opened, declined, paid, left] = await Promise.all(
    Array.from({ length: 5 }, () => make(tenant)),
  );
  await make(tenant, new Date(NOW.getTime() - 2 * DAY_MS));
  await make((await createMerchantFixture(pool)).sandbox.tenant);
  for (const id of [opened, opened, paid]) await noteOpening(pool, id ?? '', NOW);
  await attempt(declined ?? '', 'declined', 'insufficient_funds');
  await attempt(declined ?? '', 'declined', 'insufficient_funds');
  await attempt(paid ?? '', 'declined', 'incorrect_cvc');
  await attempt(paid ?? '', 'captured');
  await attempt(left ?? '', 'abandoned');
  expect(unseen).toBeDefined();
  expect(await readOutcomes(pool, tenant, SPAN)).toEqual({
    created: 5,
    isSample: false,
    opened: 4,
    tried: 3,
    paid: 1,
    medianMs: 90_000,
    reasons: [
      { reason: 'insufficient_funds', count: 2 },
      { reason: 'abandoned', count: 1 },
      { reason: 'incorrect_cvc', count: 1 },
    ],
    methods: [{ name: 'sandbox', ended: 5, approved: 1 }],
  });
});

it('reads the newest invoices of a merchant that has many, and none made since by others', async () => {
  const pool = openPool(database.url, 1);
  const { tenant } = (await createMerchantFixture(pool)).sandbox;
  const other = (await createMerchantFixture(pool)).sandbox.tenant;
  for (const [{ merchantId }, prefix] of [
    [tenant, '1'],
    [other, '2'],
  ] as const) {
    await pool.query(
      `INSERT INTO invoices (id, merchant_id, environment, merchant_transaction_id, amount_minor,
         currency, description, positions, end_date, created_at, status_changed_at)
       SELECT 'inv_0' || $2 || lpad(n::text, 10, '0'), $1, 'sandbox', 'order-' || n, 1, 'USD', 'x',
         '[]', now(), now(), now() FROM generate_series(1, 15000) n`,
      [merchantId, prefix],
    );
  }
  await pool.query('VACUUM ANALYZE');
  const all = { fromMs: 0, untilMs: Date.UTC(2100, 0) };
  const calls = 6;
  const read = await rowsRead(pool, async () => {
    for (let call = 0; call < calls; call++) await readOutcomes(pool, tenant, all);
  });
  for (const table of ['invoices', 'payment_attempts', 'invoice_openings']) {
    expect(read[table]?.scans).toBe(0);
  }
  expect(read.invoices?.indexed).toBeLessThanOrEqual(calls * OUTCOMES_OF);
  expect(await readOutcomes(pool, tenant, all)).toMatchObject({
    created: OUTCOMES_OF,
    isSample: true,
  });
  await pool.end();
});
