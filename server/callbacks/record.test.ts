import type pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openPool } from '../db/pool.ts';
import { insertDue, resultOf, until } from '../testing/callbacks.ts';
import { createTestDatabase, type TestDatabase } from '../testing/database.ts';
import { createMerchantFixture } from '../testing/factories.ts';
import { claimDue } from './claim.ts';
import { recordResults } from './record.ts';
import type { AttemptResult } from './types.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const isWaiting = async () => {
  const { rowCount } = await database.pool.query(
    `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
  );
  return rowCount === 1;
};

/** One due callback that this worker has claimed. */
async function claimOne(now: Date) {
  const { pool } = database;
  const { id: merchantId } = await createMerchantFixture(pool);
  await insertDue(pool, { merchantId, url: 'http://127.0.0.1:1/', at: now });
  const [claimed] = await claimDue(pool, { now, limit: 1 });
  if (!claimed) throw new Error('nothing was claimed');
  return claimed;
}

/** Records a result that comes while another transaction has done `statements` and not ended. */
async function recordDuring(statements: string[], result: AttemptResult): Promise<void> {
  const other = await database.pool.connect();
  await other.query('BEGIN');
  for (const statement of statements) await other.query(statement, [result.invoiceId]);
  const recording = recordResults(database.pool, [result]);
  await until(isWaiting);
  await other.query('COMMIT');
  other.release();
  await recording;
}

it('a result that waited for another change of its row is recorded like any other', async () => {
  const now = new Date();
  const claimed = await claimOne(now);
  // As the relay to Inngest does, right when the answer arrives.
  const relayed = 'UPDATE callbacks SET relayed_at = now() WHERE invoice_id = $1';
  await recordDuring([relayed], resultOf(claimed, now));

  const { rows } = await database.pool.query(
    `SELECT c.invoice_id, c.state, c.attempt_count, c.relayed_at,
            (SELECT count(*)::int FROM callback_attempts) AS attempts,
            (SELECT count(*)::int FROM callback_claims) AS claims
     FROM callbacks c`,
  );
  expect(rows).toEqual([
    {
      invoice_id: claimed.invoiceId,
      state: 'delivered',
      attempt_count: 1,
      relayed_at: null,
      attempts: 1,
      claims: 0,
    },
  ]);
});

it('a claim that another took over while a result waited is not given back', async () => {
  const now = new Date();
  const claimed = await claimOne(now);
  // As a claim after the lease, right when the late answer arrives.
  const locked = 'SELECT FROM callbacks WHERE invoice_id = $1 FOR NO KEY UPDATE';
  const taken = `UPDATE callback_claims SET claim_id = 'other' WHERE invoice_id = $1`;
  await recordDuring([locked, taken], resultOf(claimed, now));

  const { rows } = await database.pool.query(
    `SELECT c.state, c.attempt_count, k.claim_id FROM callbacks c
     JOIN callback_claims k USING (invoice_id) WHERE c.invoice_id = $1`,
    [claimed.invoiceId],
  );
  expect(rows).toEqual([{ state: 'pending', attempt_count: 1, claim_id: 'other' }]);
  await database.pool.query('DELETE FROM callback_claims');
});

it('a callback is kept for ever, so that its attempts have one', async () => {
  const { pool } = database;
  const { id: merchantId } = await createMerchantFixture(pool);
  const [id] = await insertDue(pool, { merchantId, url: 'http://127.0.0.1:1/', at: new Date() });
  const refusal = `callback of ${id} is kept for ever`;
  const gone = pool.query('DELETE FROM callbacks WHERE invoice_id = $1', [id]);
  await expect(gone).rejects.toThrow(refusal);
  const renamed = pool.query(`UPDATE callbacks SET invoice_id = 'inv_x' WHERE invoice_id = $1`, [
    id,
  ]);
  await expect(renamed).rejects.toThrow(refusal);
});

describe('where the table of claims was empty when it was analysed', () => {
  let pool: pg.Pool;
  beforeEach(() => {
    pool = openPool(database.url, 1);
  });
  afterEach(() => pool.end());

  const claimsRead = async () => {
    await pool.query('SELECT pg_stat_force_next_flush()');
    const { rows } = await database.pool.query<{ read: number }>(
      `SELECT idx_tup_read::int AS read FROM pg_stat_user_indexes
       WHERE indexrelname = 'callback_claims_pkey'`,
    );
    return rows[0]?.read ?? 0;
  };

  it('reads no claims but those of its results', async () => {
    const others = `INSERT INTO callback_claims
      SELECT 'inv_' || n, 'mer_other', 'claim', now() + interval '30 s'
      FROM generate_series(1, 2000) n ON CONFLICT DO NOTHING`;
    await pool.query(others);
    // All but the last, which keeps the pages.
    await pool.query(`DELETE FROM callback_claims WHERE invoice_id <> 'inv_2000'`);
    await pool.query('VACUUM ANALYZE callback_claims');
    await pool.query(others);
    const now = new Date();
    const { id: merchantId } = await createMerchantFixture(pool);
    await insertDue(pool, { merchantId, url: 'http://127.0.0.1:1/', at: now, count: 10 });
    const claimed = await claimDue(pool, { now, limit: 10 });

    const before = await claimsRead();
    await recordResults(
      pool,
      claimed.map((one) => resultOf(one, now)),
    );
    expect((await claimsRead()) - before).toBe(10);
  });
});
