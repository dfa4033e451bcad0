import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { lastAddresses } from '../invoices/create-by-staff.ts';
import { medianTimeToPay } from '../invoices/overview.ts';
import { createTestDatabase, type TestDatabase } from '../testing/database.ts';
import { createMerchantFixture } from '../testing/factories.ts';
import { explained, type Plan } from '../testing/plans.ts';
import { listApiRequests } from './api-request-list.ts';
import { listAuditOf, listRecentAudit } from './audit-list.ts';
import type { Tenant } from './types.ts';

const MOST = 40_000;
const SINCE = 10_000;

let database: TestDatabase;
let tenant: Tenant;

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

// One merchant has most of everything, and another all that came since.
beforeAll(async () => {
  database = await createTestDatabase();
  const { pool } = database;
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
  await database.drop();
});

describe('of a merchant that has most, a statement reads nothing of what others have made since', () => {
  const page = { search: null, outcome: null, endpoint: null, cursor: null, limit: 50 };
  const all = { fromMs: 0, untilMs: Date.UTC(2100, 0) };
  test.each<[string, number, (db: ReturnType<typeof explained>) => Promise<unknown>]>([
    ['request log', 200, (db) => listApiRequests(db, tenant, page)],
    [
      'request log, failed',
      200,
      (db) => listApiRequests(db, tenant, { ...page, outcome: 'failed' }),
    ],
    ['last addresses', 50, (db) => lastAddresses(db, tenant)],
    ['median', 5_100, (db) => medianTimeToPay(db, tenant, all)],
    ['recent audit', 50, (db) => listRecentAudit(db, tenant.merchantId, 20)],
    ['story', 900, (db) => listAuditOf(db, tenant, { type: 'invoice', id: '10' }, [])],
  ])('%s', async (_, most, ask) => {
    const reads: Plan[] = [];
    await ask(explained(database.pool, reads));
    const rows = reads.map(
      (plan) =>
        plan['Actual Loops'] * (plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0)),
    );
    expect(rows.reduce((sum, each) => sum + each, 0)).toBeLessThan(most);
  });
});
