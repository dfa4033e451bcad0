import { afterAll, beforeAll, expect, it } from 'vitest';
import { insertDue, resultOf, until } from '../../testing/callbacks.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/database/database.ts';
import { createMerchantFixture } from '../../testing/factories.ts';
import type { AttemptResult } from '../types.ts';
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

/** One due callback claimed by this worker. */
async function claimOne(now: Date) {
  const { pool } = database;
  const { id: merchantId } = await createMerchantFixture(pool);
  await insertDue(pool, { merchantId, url: 'http://127.0.0.1:1/', at: now });
  const [claimed] = await claimDue(pool, { now, limit: 1 });
  if (!claimed) throw new Error('nothing was claimed');
  return claimed;
}

/** Records a result while another transaction has run `statements` and not ended. */
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
  // The relay to Inngest does the same just as the answer arrives.
  const relayed = 'UPDATE callbacks SET relayed_at = now() WHERE invoice_id = $1';
  await recordDuring([relayed], resultOf(claimed, now));

  const { rows } = await database.pool.query(
    `SELECT c.invoice_id, c.state, c.attempt_count, c.relayed_at,
            (SELECT count(*)::int FROM callback_attempts) AS attempts
     FROM callbacks c`,
  );
  expect(rows).toEqual([
    {
      invoice_id: claimed.invoiceId,
      state: 'delivered',
      attempt_count: 1,
      relayed_at: null,
      attempts: 1,
    },
  ]);
});

it('what failed, for the time being or for good, has not been delivered at any time', async () => {
  const now = new Date();
  for (const state of ['pending', 'exhausted'] as const) {
    const claimed = await claimOne(now);
    const failed = { state, httpStatus: 500, reason: 'answered 500, not 200' };
    await recordResults(database.pool, [resultOf(claimed, now, failed)]);
    const { rows } = await database.pool.query(
      'SELECT state, delivered_at FROM callbacks WHERE invoice_id = $1',
      [claimed.invoiceId],
    );
    expect(rows).toEqual([{ state, delivered_at: null }]);
  }
});

it('a result that waited for a resend leaves it wanted', async () => {
  const now = new Date();
  const claimed = await claimOne(now);
  const resent = `UPDATE callbacks SET next_trigger = 'resend',
    next_attempt_at = now() WHERE invoice_id = $1`;
  await recordDuring([resent], resultOf(claimed, now));

  const { rows } = await database.pool.query(
    `SELECT state, attempt_count, next_trigger, last_http_status FROM callbacks
     WHERE invoice_id = $1`,
    [claimed.invoiceId],
  );
  expect(rows).toEqual([
    { state: 'pending', attempt_count: 1, next_trigger: 'resend', last_http_status: null },
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

it('times are kept to the millisecond, and answers byte for byte, empty ones as well', async () => {
  const { pool } = database;
  const now = new Date();
  const { id: merchantId } = await createMerchantFixture(pool);
  const at = { environment: 'production', url: 'http://127.0.0.1:1/', at: now } as const;
  await insertDue(pool, { merchantId, ...at, count: 10 });
  const claimed = (await claimDue(pool, { now, limit: 100 })).filter(
    (callback) => callback.merchantId === merchantId,
  );
  expect(claimed).toHaveLength(10);
  const answers = ['', '{"a":"b, \\"c\\" {d} \\\\"}', 'NULL', null, '\0\xff\uFEFF'];
  const results = claimed.map((callback, nth): AttemptResult => {
    const text = answers[nth % answers.length] ?? null;
    return {
      ...resultOf(callback, now),
      state: 'pending',
      startedAt: new Date(Date.UTC(2026 + 7 * nth, 1, 2, 3, 4, 5, 101 * nth + 1)),
      nextAttemptAt: new Date(Date.UTC(2027 + 7 * nth, 5, 4, 3, 2, 1, 999 - nth)),
      httpStatus: text === null ? null : 200,
      reason: nth % 2 === 0 ? null : `"quoted", {braced} and \\ more, NULL`,
      answer: text === null ? null : Buffer.from(text),
    };
  });
  await recordResults(pool, results);

  const { rows } = await pool.query(
    `SELECT c.invoice_id AS "invoiceId", a.started_at AS "startedAt",
            c.next_attempt_at AS "nextAttemptAt", a.http_status AS "httpStatus", a.reason, a.answer
     FROM callback_attempts a JOIN callbacks c ON c.id = a.callback_id
     WHERE c.merchant_id = $1 ORDER BY c.id`,
    [merchantId],
  );
  const sorted = results.toSorted((a, b) => (a.invoiceId < b.invoiceId ? -1 : 1));
  expect(rows).toEqual(
    sorted.map(({ invoiceId, startedAt, nextAttemptAt, httpStatus, reason, answer }) => ({
      invoiceId,
      startedAt,
      nextAttemptAt,
      httpStatus,
      reason,
      answer,
    })),
  );
});

it('an event tells once that a callback has failed for good, and a late failure tells nothing', async () => {
  const now = new Date();
  const failed = { httpStatus: 500, reason: 'answered 500, not 200' };
  const claimed = await claimOne(now);
  const exhausted = resultOf(claimed, now, { ...failed, state: 'exhausted' });
  const eventsOf = async () => {
    const { rows } = await database.pool.query(
      'SELECT type, merchant_id, at FROM events WHERE invoice_id = $1',
      [claimed.invoiceId],
    );
    return rows;
  };
  await recordResults(database.pool, [exhausted]);
  const event = {
    type: 'callback.exhausted',
    merchant_id: claimed.merchantId,
    at: exhausted.nextAttemptAt,
  };
  expect(await eventsOf()).toEqual([event]);
  const later = new Date(now.getTime() + 1_000);
  const late = resultOf(claimed, later, { ...failed, state: 'exhausted' });
  await recordResults(database.pool, [late, { ...late, startedAt: new Date(now.getTime() + 5) }]);
  expect(await eventsOf()).toEqual([event]);

  const other = await claimOne(now);
  await recordResults(database.pool, [resultOf(other, now, { ...failed, state: 'pending' })]);
  const { rows } = await database.pool.query('SELECT FROM events WHERE invoice_id = $1', [
    other.invoiceId,
  ]);
  expect(rows).toEqual([]);
});
