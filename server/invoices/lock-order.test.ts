import { afterAll, beforeAll, expect, test } from 'vitest';
import { openPool } from '../db/pool.ts';
import { createTestDatabase, type TestDatabase } from '../testing/database/database.ts';
import { createMerchantFixture } from '../testing/factories.ts';
import { createTestInvoice } from '../testing/invoices.ts';
import { transitionMany } from './transition.ts';

const NOW = new Date('2026-11-21T12:00:00.000Z');
const AFTER_END = new Date('2026-11-21T14:00:00.000Z');
let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

// The planner might do this for a table that is most expensive to read: it reads it once, and the
// changes come in its order.
const READS_TABLE_ONCE = new URLSearchParams({
  options: [
    ...['indexscan', 'indexonlyscan', 'bitmapscan', 'material', 'hashjoin', 'mergejoin'].map(
      (each) => `-c enable_${each}=off`,
    ),
    '-c seq_page_cost=100000',
  ].join(' '),
});

test.each(['cancel', 'expire'] as const)(
  'several are locked in the order of their ids before one is changed, whatever the plan: %s',
  async (trigger) => {
    const { pool } = database;
    const { tenant } = (await createMerchantFixture(pool)).sandbox;
    const now = trigger === 'cancel' ? NOW : AFTER_END;
    const create = () => createTestInvoice(pool, tenant, { now: NOW });
    const [first = '', second = ''] = [await create(), await create()].sort();
    // This row is behind the other in the table.
    await pool.query('UPDATE invoices SET description = description WHERE id = $1', [first]);
    const others = openPool(`${database.url}&${READS_TABLE_ONCE}`, 1);
    const holder = await pool.connect();
    await holder.query('BEGIN');
    await holder.query('SELECT FROM invoices WHERE id = $1 FOR NO KEY UPDATE', [first]);
    const rows = [second, first].map((invoiceId) => ({
      ...{ invoiceId, tenant, now },
      actor: { type: 'api' } as const,
    }));
    const changing = transitionMany(others, trigger, rows);
    const waiting = `SELECT FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock'`;
    await expect.poll(async () => (await pool.query(waiting)).rowCount).toBe(1);
    // It has touched nothing behind the row that it waits for.
    const free = pool.query('SELECT FROM invoices WHERE id = $1 FOR UPDATE NOWAIT', [second]);
    await Promise.allSettled([free]);
    await holder.query('COMMIT');
    holder.release();
    expect((await free).rowCount).toBe(1);
    expect((await changing).map((row) => row?.id)).toEqual([second, first]);
    await others.end();
  },
);
