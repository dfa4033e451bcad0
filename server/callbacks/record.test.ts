import { afterAll, beforeAll, expect, it } from 'vitest';
import { insertDue, resultOf, until } from '../testing/callbacks.ts';
import { createTestDatabase, type TestDatabase } from '../testing/database.ts';
import { createMerchantFixture } from '../testing/factories.ts';
import { claimDue } from './claim.ts';
import { recordResults } from './record.ts';

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

it('a result that waited for another change of its row is recorded like any other', async () => {
  const { pool } = database;
  const { id: merchantId } = await createMerchantFixture(pool);
  const now = new Date();
  const [id] = await insertDue(pool, { merchantId, url: 'http://127.0.0.1:1/', at: now });
  const [claimed] = await claimDue(pool, { now, limit: 1 });
  if (!claimed) throw new Error('nothing was claimed');
  expect(claimed.invoiceId).toBe(id);

  // As the relay to Inngest does, right when the answer arrives.
  const relay = await pool.connect();
  await relay.query('BEGIN');
  await relay.query('UPDATE callbacks SET relayed_at = now() WHERE invoice_id = $1', [id]);
  const recording = recordResults(pool, [resultOf(claimed, now)]);
  await until(isWaiting);
  await relay.query('COMMIT');
  relay.release();
  await recording;

  const { rows } = await pool.query(
    `SELECT c.state, c.attempt_count, c.relayed_at,
            (SELECT count(*)::int FROM callback_attempts) AS attempts,
            (SELECT count(*)::int FROM callback_claims) AS claims
     FROM callbacks c`,
  );
  expect(rows).toEqual([
    { state: 'delivered', attempt_count: 1, relayed_at: null, attempts: 1, claims: 0 },
  ]);
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
