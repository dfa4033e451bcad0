import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../testing/database/database.ts';
import { explained, explainedPool, type Plan } from '../testing/database/plans.ts';
import { createMerchantFixture, type MerchantFixture } from '../testing/factories.ts';
import { type CallbackFilters, listCallbacks, readCallback } from './data.ts';
import { notificationId } from './enqueue.ts';
import { countFailedSince } from './resend.ts';

// The list of callbacks reads a bounded piece of an index, whatever the filter.

const NOW = new Date('2026-11-21T12:00:00.000Z');
const ROWS = 20_000;
const SCAN_LIMIT = 200;
/** The rows of three states, of 20,000 in all; a sort reads a little ahead. */
const MOST_READ = 3 * SCAN_LIMIT + 300;

let database: TestDatabase;
let merchant: MerchantFixture;
beforeAll(async () => {
  database = await createTestDatabase();
  const { pool } = database;
  merchant = await createMerchantFixture(pool);
  await pool.query(
    `INSERT INTO invoices (id, merchant_id, environment, merchant_transaction_id, status,
       amount_minor, currency, description, positions, success_url, error_url, callback_url,
       end_date, created_at, status_changed_at)
     SELECT 'inv_' || lpad(n::text, 9, '0'), $1, 'sandbox', n, 'EXPIRED', 100, 'USD', 'x', '[]',
            'x', 'x', 'x', $2::timestamptz, $2::timestamptz, $2::timestamptz
     FROM generate_series(1, $3::int) n`,
    [merchant.id, NOW.toISOString(), ROWS],
  );
  await pool.query(
    `INSERT INTO callbacks (id, invoice_id, merchant_id, environment, url, host, invoice_status, body,
       next_attempt_at, created_at, state, attempt_count, last_http_status)
     SELECT ${notificationId('id')}, id, merchant_id, environment, 'x', 'shop.example', status, '', created_at,
            created_at - random() * interval '30 days',
            (ARRAY['delivered', 'delivered', 'exhausted', 'pending'])[1 + n % 4]::callback_state, 1,
            (ARRAY[200, 200, 500, NULL])[1 + n % 4]
     FROM (SELECT *, right(id, 9)::int AS n FROM invoices) i`,
  );
  await pool.query(
    `INSERT INTO callback_leases (merchant_id, holder_id, callback_ids, due_ats, leased_until)
     SELECT CASE WHEN n < 10 THEN $1 ELSE 'mer_' || n END, 'worker ' || n, c.ids, c.dues, $2
     FROM generate_series(1, 5000) n, (
       SELECT array_agg(id) AS ids, array_agg(next_attempt_at) AS dues
       FROM (SELECT * FROM callbacks WHERE state = 'pending' LIMIT 10) c) c`,
    [merchant.id, new Date(NOW.getTime() + 30_000).toISOString()],
  );
  await pool.query(
    `INSERT INTO callback_attempts (callback_id, number, started_at, duration_ms, delivered, trigger)
     SELECT id, 1, created_at, 9, true, 'schedule' FROM callbacks`,
  );
  await pool.query('VACUUM ANALYZE');
});
afterAll(() => database.drop());

const CASES: Record<string, Partial<CallbackFilters>> = {
  'no filter': {},
  'a state': { states: ['exhausted'] },
  'the host of all': { host: 'shop.example' },
  'a host of none': { host: 'none.example' },
  'answers of 2xx': { httpClass: 2 },
  'answers of 4xx': { httpClass: 4 },
  'no answer': { httpClass: 0 },
  'a time': { from: new Date(NOW.getTime() - 86_400_000), until: NOW, host: 'none.example' },
};

it.each(Object.entries(CASES))('by %s: goes by an index and stops in time', async (_, filters) => {
  const reads: Plan[] = [];
  const page = { ...filters, cursor: null, limit: 50, now: NOW, scanLimit: SCAN_LIMIT };
  await listCallbacks(explainedPool(database.pool, reads), merchant.sandbox.tenant, page);
  expect(reads.map((read) => read['Relation Name'])).toContain('callbacks');
  for (const read of reads) {
    expect(read['Node Type']).toMatch(/Index/);
    expect(read['Actual Rows'] * read['Actual Loops']).toBeLessThanOrEqual(MOST_READ);
  }
});

it('one callback and its attempts are read by indexes', async () => {
  const reads: Plan[] = [];
  const { tenant } = merchant.sandbox;
  await readCallback(explained(database.pool, reads), tenant, 'inv_000000007', { now: NOW });
  for (const read of reads) expect(read['Node Type']).toMatch(/Index|Bitmap Heap/);
});

it('answers of no 2xx are looked for among what is not delivered', async () => {
  const page = { cursor: null, limit: 50, now: NOW, httpClass: 5 };
  const { tenant } = merchant.sandbox;
  const delivered = { ...page, states: ['delivered'] as const };
  expect((await listCallbacks(database.pool, tenant, page)).callbacks).toHaveLength(50);
  expect(await listCallbacks(database.pool, tenant, delivered)).toEqual({
    callbacks: [],
    nextCursor: null,
    searchedUntil: null,
  });
});

it('what failed is counted set by set, by indexes', async () => {
  const reads: Plan[] = [];
  const limits = { counted: 1, lookedAt: 1_000 };
  const asked = { since: new Date(0), now: NOW };
  const { tenant } = merchant.sandbox;
  const counted = await countFailedSince(explainedPool(database.pool, reads), tenant, asked, {
    limits,
  });
  expect(counted).toEqual({ hosts: [], isWhole: false });
  const tables = reads.map((read) => read['Relation Name']);
  expect(tables).toEqual(expect.arrayContaining(['callbacks', 'callback_attempts']));
  for (const read of reads) {
    expect(read['Node Type']).toMatch(/Index/);
    expect(read['Actual Rows'] * read['Actual Loops']).toBeLessThanOrEqual(2 * 1_000 + 300);
  }
});
