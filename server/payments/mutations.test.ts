import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { newId } from '../lib/ids.ts';
import { createTestDatabase, type TestDatabase } from '../testing/database.ts';
import { createMerchantFixture } from '../testing/factories.ts';
import { createTestInvoice } from '../testing/invoices.ts';
import { findAttempt } from './data.ts';
import { claimCapture, markChallenge, openAttempt } from './mutations.ts';

const NOW = new Date('2026-11-21T12:00:00.000Z');
let database: TestDatabase;
let invoiceId: string;

beforeAll(async () => {
  database = await createTestDatabase();
  const { sandbox } = await createMerchantFixture(database.pool);
  invoiceId = await createTestInvoice(database.pool, sandbox.tenant, { now: NOW });
});
afterAll(() => database.drop());

function open(id: string): Promise<boolean> {
  const card = { cardBrand: 'visa', cardLast4: '4242' } as const;
  return openAttempt(database.pool, { id, invoiceId, provider: 'sandbox', ...card }, NOW);
}

test('while the capture of a challenge is claimed, another attempt waits with nothing in its way', async () => {
  const { pool } = database;
  const challenged = newId('pay', NOW.getTime());
  expect(await open(challenged)).toBe(true);
  await markChallenge(pool, challenged, 'auth_1', NOW);

  const claiming = await pool.connect();
  await claiming.query('BEGIN');
  // What a claim locks first.
  await claiming.query('SELECT FROM payment_attempts WHERE id = $1 FOR UPDATE', [challenged]);
  const opened = open(newId('pay', NOW.getTime()));
  const { rows } = await claiming.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  const waiting = `SELECT FROM pg_stat_activity WHERE ${rows[0]?.pid} = ANY (pg_blocking_pids(pid))`;
  await vi.waitFor(async () => expect((await pool.query(waiting)).rowCount).toBe(1), 10_000);
  expect(await claimCapture(claiming, challenged, 'auth_1', NOW)).toBe('capturing');
  await claiming.query('COMMIT');
  claiming.release();

  expect(await opened).toBe(false);
  expect(await findAttempt(pool, challenged)).toMatchObject({ status: 'capturing' });
});
