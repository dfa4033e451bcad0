import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Queryable } from '../db/pool.ts';
import { createMerchant } from '../merchants/mutations.ts';
import { grantTenant } from '../merchants/tenant.ts';
import { insertDue } from '../testing/callbacks.ts';
import { createTestDatabase, type TestDatabase } from '../testing/database.ts';
import { createMerchantFixture } from '../testing/factories.ts';
import { explained, type Plan } from '../testing/plans.ts';
import { listFailedRecoveries, listPendingCaptures, readBacklog } from './backlog.ts';
import { listMerchantHealth, readMerchantHealth } from './merchants.ts';
import { takeSample } from './samples.ts';

// What the operator's pages read goes by indexes, however much there is.

const NOW = new Date('2026-11-21T12:00:00.000Z');
const ROWS = 20_000;
const COUNTED_TO = 1_000;

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase(2);
  const { pool } = database;
  const { merchantId } = await createMerchant(pool, {
    name: 'Large',
    ownerEmail: 'owner@example.com',
    actor: { type: 'operator', id: null, label: 'test' },
    now: NOW,
  });
  await pool.query(
    `INSERT INTO invoices (id, merchant_id, environment, merchant_transaction_id, status,
       amount_minor, currency, description, positions, success_url, error_url, callback_url,
       end_date, created_at, status_changed_at, capture_attempt_id)
     SELECT 'inv_00' || n, $1, 'sandbox', n, CASE WHEN n % 50 = 0 THEN 'PENDING' ELSE 'PAID' END::invoice_status,
            100, 'USD', 'x', '[]', 'x', 'x', 'x', $2::timestamptz + n * interval '1 minute', $2, $2, 'pay_x'
     FROM generate_series(1, $3::int) n`,
    [merchantId, NOW.toISOString(), ROWS],
  );
  await pool.query(
    `INSERT INTO callbacks (invoice_id, merchant_id, environment, url, host, invoice_status, body,
       next_attempt_at, created_at, state)
     SELECT id, merchant_id, environment, 'x', 'x', status, '', created_at, created_at, 'delivered'
     FROM invoices WHERE status = 'PAID'`,
  );
  await pool.query(
    `INSERT INTO payment_attempts (id, invoice_id, status, provider, amount_minor, currency,
       card_brand, card_last4, created_at, updated_at)
     SELECT 'pay_' || id, id, 'captured', 'sandbox', 100, 'USD', 'visa', '4242', created_at, created_at
     FROM invoices WHERE status = 'PAID'`,
  );
  await pool.query('VACUUM ANALYZE');
});
afterAll(() => database.drop());

/** Runs each statement and keeps its plan. */
function explaining(plans: string[]): Queryable {
  return {
    query: async (config, values) => {
      const { text, values: own } = typeof config === 'string' ? { text: config, values } : config;
      if (/^\s*(?:SELECT|WITH)/.test(text)) {
        const { rows } = await database.pool.query(`EXPLAIN ${text}`, own);
        plans.push(rows.map((row) => String(row['QUERY PLAN'])).join('\n'));
      }
      return database.pool.query(config, values);
    },
  };
}

const page = { cursor: null, limit: 25, now: NOW, tenantOf: grantTenant } as const;
it.each<[string, (db: Queryable) => Promise<unknown>]>([
  ['the backlog', (db) => readBacklog(db, NOW)],
  ['failed recoveries', (db) => listFailedRecoveries(db, { now: NOW, limit: 20 })],
  ['pending captures', (db) => listPendingCaptures(db, { now: NOW, limit: 20 })],
  ['a sample', (db) => takeSample(db, NOW)],
  ['merchants', (db) => listMerchantHealth(db, { ...page, search: '', environment: 'sandbox' })],
])('%s is read by indexes', async (_, read) => {
  const plans: string[] = [];
  await read(explaining(plans));
  expect(plans.length).toBeGreaterThan(0);
  const large =
    /Seq Scan on (?:invoices|callbacks|payment_attempts|callback_attempts|invoice_events)/;
  for (const plan of plans) expect(plan).not.toMatch(large);
});

it.each([
  ['due', NOW],
  ['not due yet', new Date(NOW.getTime() + 3_600_000)],
])(
  'past a backlog of the sandbox that is %s, what is due in production is counted',
  async (_, at) => {
    const { pool } = database;
    const { id: merchantId } = await createMerchantFixture(pool);
    const due = { merchantId, url: 'x', at: NOW };
    await insertDue(pool, { ...due, environment: 'sandbox', at, count: ROWS });
    await insertDue(pool, { ...due, environment: 'production', count: 3 });
    await pool.query('ANALYZE callbacks');

    const reads: Plan[] = [];
    const db = explained(pool, reads);
    const health = await readMerchantHealth(db, merchantId, { now: NOW, tenantOf: grantTenant });
    const production = health?.activity.find(({ environment }) => environment === 'production');
    expect(production).toMatchObject({ callbacksDue: 3, callbacksDueIsMore: false });
    await readBacklog(db, NOW);

    const ofCallbacks = reads.filter((read) => read['Relation Name'] === 'callbacks');
    expect(ofCallbacks.length).toBeGreaterThan(0);
    for (const read of ofCallbacks) {
      // A few rows may come by a bitmap, which tells as exactly how many it has read.
      expect(read['Node Type']).toMatch(/Index|Bitmap Heap/);
      const rows = read['Actual Rows'] + (read['Rows Removed by Filter'] ?? 0);
      expect(rows * read['Actual Loops']).toBeLessThan(COUNTED_TO + 10);
    }
  },
);
