import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listCallbacks } from '../callbacks/data.ts';
import { notificationId } from '../callbacks/enqueue.ts';
import { claimDue } from '../callbacks/queue/claim.ts';
import { findUnrelayed, markRelayed } from '../callbacks/queue/outbox.ts';
import { nextDue } from '../callbacks/queue/pump.ts';
import { countFailedSince } from '../callbacks/resend.ts';
import { planInOrder } from '../db/index-plans.ts';
import { inTransaction } from '../db/pool.ts';
import { grantTenant } from '../merchants/tenant.ts';
import { createTestDatabase, type TestDatabase } from '../testing/database/database.ts';
import { rowsRead } from '../testing/database/rows-read.ts';
import { createMerchantFixture } from '../testing/factories.ts';
import { readBacklog } from './backlog.ts';
import { listMerchantHealth, readMerchantHealth } from './merchants.ts';

// PostgreSQL's statistics on callbacks are out of date, or true only on average. Reading a large
// backlog still reads a bounded piece of the one index made for it.

const NOW = new Date('2026-11-21T12:00:00.000Z');
const ROWS = 20_000;

// Callbacks fall due and were made at different times, within the hour and the day before now; `$4`
// of ten wait.
const FILL = `
  WITH invoice AS (
    INSERT INTO invoices (id, merchant_id, environment, merchant_transaction_id, status,
      amount_minor, currency, description, positions, success_url, error_url, callback_url,
      end_date, created_at, status_changed_at)
    SELECT 'inv_' || gen_random_uuid(), m.id, $2::environment, gen_random_uuid(), 'EXPIRED', 100,
           'USD', 'x', '[]', 'x', 'x', 'x', $5::timestamptz, $5, $5
    FROM unnest($1::text[]) AS m(id) CROSS JOIN generate_series(1, $3::int)
    RETURNING id, merchant_id)
  INSERT INTO callbacks (id, invoice_id, merchant_id, environment, url, host, invoice_status, body,
    next_attempt_at, created_at, state)
  SELECT ${notificationId('id')}, id, merchant_id, $2, 'x', 'shop.example', 'EXPIRED', '',
         $5::timestamptz - random() * interval '1 hour',
         $5::timestamptz - random() * interval '1 day',
         (CASE WHEN row_number() OVER () % 10 < $4::int THEN 'pending' ELSE 'delivered' END)::callback_state
  FROM invoice`;

type Filling = { environment?: 'sandbox' | 'production'; each: number; waitingOfTen: number };

async function fill(pool: pg.Pool, merchantIds: string[], filling: Filling): Promise<void> {
  const { environment = 'sandbox', each, waitingOfTen } = filling;
  await pool.query(FILL, [merchantIds, environment, each, waitingOfTen, NOW.toISOString()]);
}

async function addMerchants(pool: pg.Pool, count: number): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>(
    `INSERT INTO merchants (id, name) SELECT 'mer_small' || n, 'Small'
     FROM generate_series(1, $1::int) n RETURNING id`,
    [count],
  );
  return rows.map(({ id }) => id);
}

/** The merchant with the backlog: 20,000 callbacks of the sandbox and three of production. */
async function addBacklog(pool: pg.Pool, merchantId: string): Promise<void> {
  await fill(pool, [merchantId], { each: ROWS, waitingOfTen: 10 });
  await fill(pool, [merchantId], { environment: 'production', each: 3, waitingOfTen: 10 });
}

/** How to produce each state of the statistics. */
const STATISTICS: Record<string, (pool: pg.Pool, merchantId: string) => Promise<void>> = {
  'of the time between two outages': async (pool, merchantId) => {
    await fill(pool, await addMerchants(pool, 4), { each: 20, waitingOfTen: 2 });
    await addBacklog(pool, merchantId);
    await pool.query("UPDATE callbacks SET state = 'delivered' WHERE merchant_id = $1", [
      merchantId,
    ]);
    await pool.query('VACUUM ANALYZE');
    await addBacklog(pool, merchantId);
  },
  'by which all merchants have a little': async (pool, merchantId) => {
    await fill(pool, await addMerchants(pool, 32), { each: 200, waitingOfTen: 2 });
    await addBacklog(pool, merchantId);
    await pool.query('VACUUM ANALYZE');
  },
  'of before the first outage': async (pool, merchantId) => {
    const merchants = await addMerchants(pool, 200);
    await fill(pool, merchants, { each: 70, waitingOfTen: 2 });
    await fill(pool, merchants, { environment: 'production', each: 30, waitingOfTen: 2 });
    await pool.query('VACUUM ANALYZE');
    await addBacklog(pool, merchantId);
  },
};

describe.each(Object.entries(STATISTICS))('with statistics %s', (_, prepare) => {
  let database: TestDatabase;
  let merchantId: string;
  beforeAll(async () => {
    database = await createTestDatabase(1);
    await database.pool.query('ALTER TABLE callbacks SET (autovacuum_enabled = off)');
    merchantId = (await createMerchantFixture(database.pool)).id;
    await prepare(database.pool, merchantId);
  });
  afterAll(() => database.drop());

  const tenant = () => grantTenant(merchantId, 'sandbox');
  const ahead = { now: NOW, tenantOf: grantTenant } as const;
  const page = { cursor: null, limit: 25 };
  const list = (pool: pg.Pool, filters: Partial<Parameters<typeof listCallbacks>[2]>) =>
    listCallbacks(pool, tenant(), { ...page, now: NOW, scanLimit: 200, ...filters });
  const announce = async (pool: pg.Pool) => {
    const rows = await inTransaction(pool, async (db) => {
      await planInOrder(db);
      return await findUnrelayed(db, { limit: 100 });
    });
    await markRelayed(pool, rows, { now: NOW });
  };
  // The most that each may read of some 20,000: a merchant with little waiting costs a few more.
  test.each<[string, number, (pool: pg.Pool) => Promise<unknown>]>([
    ['a claim', 700, (pool) => claimDue(pool, { now: NOW, limit: 10 })],
    ['a merchant', 1_500, (pool) => readMerchantHealth(pool, merchantId, ahead)],
    [
      'merchants',
      3_000,
      (pool) =>
        listMerchantHealth(pool, {
          ...{ first: [], page: 1, limit: 25, search: '', environment: 'sandbox', ...ahead },
        }),
    ],
    ['the backlog', 6_500, (pool) => readBacklog(pool, NOW)],
    ['a page', 200, (pool) => list(pool, {})],
    ['a page of a state', 200, (pool) => list(pool, { states: ['pending'] })],
    ['a page of a host', 1_000, (pool) => list(pool, { host: 'none.example' })],
    ['what is to be announced', 700, announce],
    ['what falls due next', 10, (pool) => nextDue(pool, { now: NOW })],
    [
      'what failed',
      3_500,
      (pool) =>
        countFailedSince(
          pool,
          tenant(),
          { since: new Date(0), now: NOW },
          { limits: { counted: 1, lookedAt: 1_000 } },
        ),
    ],
  ])('%s is read without the rest of the backlog', async (_name, most, read) => {
    const { callbacks } = await rowsRead(database.pool, () => read(database.pool));
    expect(callbacks?.scans).toBe(0);
    expect(callbacks?.indexed).toBeLessThan(most);
  });
});
