import type pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openPool } from '../db/pool.ts';
import { lastCurrency } from '../invoices/create-by-staff.ts';
import { readOutcomes } from '../overview/outcomes.ts';
import { createTestDatabase, type TestDatabase } from '../testing/database/database.ts';
import { rowsRead } from '../testing/database/rows-read.ts';
import { createMerchantFixture } from '../testing/factories.ts';
import { listApiRequests } from './api-request-list.ts';
import { listAuditOf, listRecentAudit } from './audit-list.ts';
import type { Tenant } from './types.ts';

const MOST = 40_000;
const SINCE = 10_000;

let database: TestDatabase;
let tenant: Tenant;
let pool: pg.Pool;

const REQUESTS = `
  INSERT INTO api_requests (at, merchant_id, environment, token_id, request_id, method, path, status,
    duration_ms, invoice_id)
  SELECT now(), $1, 'production', 'tok', 'req_' || n, 'GET', '/api/production/invoice/status', 200, 1,
    CASE WHEN n % 2 = 0 THEN 'inv_polled' ELSE 'inv_' || n END
  FROM generate_series(1, $2::int) n`;
const AUDIT = `
  INSERT INTO audit_log (at, actor_type, actor_label, merchant_id, environment, action, target_type, target_id)
  SELECT now(), 'staff', 'ann@shop.test', $1, 'production', 'x', 'invoice', $3 || n % 2
  FROM generate_series(1, $2::int) n`;
const INVOICES = `
  INSERT INTO invoices (id, merchant_id, environment, merchant_transaction_id, status, amount_minor,
    currency, description, positions, success_url, error_url, callback_url, end_date, created_at,
    status_changed_at, capture_attempt_id)
  SELECT $3 || lpad(n::text, 10, '0'), $1, 'production', 'order-' || n, 'PAID', 1, 'USD', 'x', '[]',
    'a', 'b', 'c', now(), now(), now(), 'pay_x'
  FROM generate_series(1, $2::int) n`;

// One merchant has most of everything, and another has everything since.
beforeAll(async () => {
  database = await createTestDatabase();
  // A pool of one connection, whose statements are counted.
  pool = openPool(database.url, 1);
  const most = await createMerchantFixture(pool);
  const other = await createMerchantFixture(pool);
  tenant = most.production.tenant;
  for (const [{ id }, count, prefix] of [
    [most, MOST, '1'],
    [other, SINCE, '2'],
  ] as const) {
    await pool.query(REQUESTS, [id, count]);
    await pool.query(AUDIT, [id, count, prefix]);
    await pool.query(INVOICES, [id, count, `inv_${prefix}`]);
  }
  await pool.query('VACUUM ANALYZE');
});

afterAll(async () => {
  await pool.end();
  await database.drop();
});

/** The first five plans know the values; later ones do not. */
const CALLS = 10;
const page = { search: null, outcome: null, endpoint: null, cursor: null, limit: 50 };
const all = { fromMs: 0, untilMs: Date.UTC(2100, 0) };

test.each<[string, number, (pool: pg.Pool) => Promise<unknown>]>([
  ['request log', 200, (pool) => listApiRequests(pool, tenant, page)],
  ['log of failures', 200, (pool) => listApiRequests(pool, tenant, { ...page, outcome: 'failed' })],
  [
    'search for an invoice that is polled',
    200,
    (pool) => listApiRequests(pool, tenant, { ...page, search: 'inv_polled' }),
  ],
  [
    'search for the failures of an invoice that is polled',
    200,
    (pool) => listApiRequests(pool, tenant, { ...page, search: 'inv_polled', outcome: 'failed' }),
  ],
  [
    'search for what is nowhere',
    200,
    (pool) => listApiRequests(pool, tenant, { ...page, search: 'inv_0' }),
  ],
  ['last currency', 50, (pool) => lastCurrency(pool, tenant, 'usr_new')],
  ['outcomes', 5_100, (pool) => readOutcomes(pool, tenant, all)],
  ['recent audit', 50, (pool) => listRecentAudit(pool, tenant.merchantId, 20)],
  ['story', 900, (pool) => listAuditOf(pool, tenant, { type: 'invoice', id: '10' }, [])],
])(
  'of a merchant that has most, the %s reads nothing of what others have made since',
  async (_, most, ask) => {
    const read = await rowsRead(pool, async () => {
      for (let call = 0; call < CALLS; call++) await ask(pool);
    });
    const { invoices, api_requests: requests, audit_log: audit } = read;
    for (const table of [invoices, requests, audit]) {
      expect(table?.scans).toBe(0);
      expect(table?.indexed).toBeLessThan(most * CALLS);
    }
  },
);
