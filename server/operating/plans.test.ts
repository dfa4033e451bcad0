import type pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { notificationId } from '../callbacks/enqueue.ts';
import { createMerchant } from '../merchants/mutations.ts';
import { grantTenant } from '../merchants/tenant.ts';
import { listOverdue } from '../payments/accounts/overdue.ts';
import { listOverdueRefunds } from '../refunds/overdue.ts';
import { insertDue } from '../testing/callbacks.ts';
import { createTestDatabase, type TestDatabase } from '../testing/database/database.ts';
import { rowsRead } from '../testing/database/rows-read.ts';
import { createMerchantFixture } from '../testing/factories.ts';
import { listFailedRecoveries, listPendingCaptures, readBacklog } from './backlog.ts';
import { listMerchantHealth, readMerchantHealth } from './merchants.ts';
import { takeSample } from './samples.ts';

// The queries of the operator's pages use indexes, however much data there is.

const NOW = new Date('2026-11-21T12:00:00.000Z');
const ROWS = 20_000;
const COUNTED_TO = 1_000;
const LARGE = [
  'invoices',
  'callbacks',
  'payment_attempts',
  'callback_attempts',
  'invoice_events',
  'refunds',
];

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase(1);
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
    `INSERT INTO callbacks (id, invoice_id, merchant_id, environment, url, host, invoice_status, body,
       next_attempt_at, created_at, state)
     SELECT ${notificationId('id')}, id, merchant_id, environment, 'x', 'x', status, '', created_at, created_at, 'delivered'
     FROM invoices WHERE status = 'PAID'`,
  );
  await pool.query(
    `INSERT INTO payment_attempts (id, invoice_id, status, provider, amount_minor, currency,
       card_brand, card_last4, created_at, updated_at)
     SELECT 'pay_' || id, id, 'captured', 'sandbox', 100, 'USD', 'visa', '4242', created_at, created_at
     FROM invoices WHERE status = 'PAID'`,
  );
  await pool.query(
    `INSERT INTO invoice_events (invoice_id, from_status, to_status, at, actor_type)
     SELECT id, 'PENDING', status, created_at, 'recovery' FROM invoices WHERE status = 'PAID'`,
  );
  await pool.query(
    `INSERT INTO refunds (id, merchant_id, environment, invoice_id, attempt_id, amount_minor,
       currency, status, created_at, updated_at)
     SELECT 'ref_' || id, merchant_id, environment, id, 'pay_' || id, 100, 'USD', 'SUCCEEDED',
            created_at, created_at
     FROM invoices WHERE status = 'PAID'`,
  );
  await pool.query('VACUUM ANALYZE');
});
afterAll(() => database.drop());

const page = { first: [], page: 1, limit: 25, now: NOW, tenantOf: grantTenant } as const;
it.each<[string, (pool: pg.Pool) => Promise<unknown>]>([
  ['the backlog', (pool) => readBacklog(pool, NOW)],
  ['failed recoveries', (pool) => listFailedRecoveries(pool, { now: NOW, limit: 20 })],
  ['pending captures', (pool) => listPendingCaptures(pool, { now: NOW, limit: 20 })],
  ['payments that are open too long', (pool) => listOverdue(pool, NOW)],
  ['refunds that are open too long', (pool) => listOverdueRefunds(pool, NOW)],
  ['a sample', (pool) => takeSample(pool, NOW)],
  [
    'merchants',
    (pool) => listMerchantHealth(pool, { ...page, search: '', environment: 'sandbox' }),
  ],
])('%s is read by indexes', async (_, read) => {
  const tables = await rowsRead(database.pool, () => read(database.pool));
  for (const table of LARGE) expect([table, tables[table]?.scans]).toEqual([table, 0]);
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

    const read = await rowsRead(pool, async () => {
      const health = await readMerchantHealth(pool, merchantId, {
        now: NOW,
        tenantOf: grantTenant,
      });
      const production = health?.activity.find(({ environment }) => environment === 'production');
      expect(production).toMatchObject({ callbacksDue: 3, callbacksDueIsMore: false });
    });
    expect(read.callbacks?.indexed).toBeLessThan(COUNTED_TO + 100);
    const all = await rowsRead(pool, () => readBacklog(pool, NOW));
    expect(all.callbacks?.indexed).toBeLessThan(COUNTED_TO + 100);
  },
);
