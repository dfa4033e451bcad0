import type pg from 'pg';
import { planByIndexes, queryByIndexes } from '../../db/index-plans.ts';
import { plainArray } from '../../db/plain-array.ts';
import { inTransaction } from '../../db/pool.ts';
import { writeEvents } from '../../events/write.ts';
import type { AttemptResult } from '../types.ts';

// Whether a result belongs to the awaited attempt: the callback is still due at the time of its
// claim. Only a deciding result or a resend moves that time. If a lease ran out and two have sent
// the same, the first thus decides.
const COUNTS = `(c.state = 'pending' AND c.next_attempt_at = r.due_at)`;

// A late success decides too: the merchant has the callback, even if a repeated request failed,
// such as by a refusal of a known callback. It does not decide after a resend by staff. Any other
// result is kept as an attempt, because the merchant did get that request.
const DECIDES = `(${COUNTS}
  OR r.state = 'delivered' AND c.state <> 'delivered' AND c.next_trigger = 'schedule')`;

// One statement records a batch of results in one pass over its rows. A row that was locked is
// judged again as the other transaction left it, because the row has the deciding facts.
//
// A result that already exists is one whose answer was lost after the commit: a worker never begins
// two attempts of a callback in the same millisecond.
const RECORD = `
  WITH updated AS (
    UPDATE callbacks c SET
      attempt_count = c.attempt_count + 1,
      extra_attempts = c.extra_attempts
        + CASE WHEN ${COUNTS} AND c.next_trigger = 'schedule' THEN 0 ELSE 1 END,
      state = CASE WHEN ${DECIDES} THEN r.state ELSE c.state END,
      next_attempt_at = CASE WHEN ${DECIDES} THEN r.next_attempt_at ELSE c.next_attempt_at END,
      next_trigger = CASE WHEN ${DECIDES} THEN 'schedule' ELSE c.next_trigger END,
      delivered_at = CASE WHEN ${DECIDES} AND r.state = 'delivered'
                          THEN r.next_attempt_at ELSE c.delivered_at END,
      last_reason = CASE WHEN ${DECIDES} THEN r.reason ELSE c.last_reason END,
      last_http_status = CASE WHEN ${DECIDES} THEN r.http_status ELSE c.last_http_status END,
      relayed_at = CASE WHEN ${DECIDES} THEN NULL ELSE c.relayed_at END
    FROM (
      SELECT callback_id, due_at, count_before, state::callback_state,
             -- Exact to the millisecond, and read in a fifth of the time that a date takes.
             to_timestamp(next_attempt_ms / 1000) AS next_attempt_at,
             to_timestamp(started_ms / 1000) AS started_at, duration_ms, http_status, reason,
             decode(answer, 'hex') AS answer, trigger
      FROM unnest(
        $1::text[], $2::timestamptz[], $3::int[], $4::text[], $5::float8[], $6::float8[],
        $7::int[], $8::int[], $9::text[], $10::text[], $11::text[]
      ) AS r (callback_id, due_at, count_before, state, next_attempt_ms, started_ms,
              duration_ms, http_status, reason, answer, trigger)
    ) r
    -- The list first: a plan from when the table was empty would read all of it otherwise.
    WHERE c.id = ANY ($1::text[]) AND c.id = r.callback_id
      AND (c.attempt_count = r.count_before OR 0 = (
        SELECT count(*) FROM callback_attempts a
        WHERE a.callback_id = r.callback_id AND a.started_at = r.started_at))
    RETURNING r.callback_id, c.invoice_id, c.attempt_count AS number, r.started_at, r.duration_ms,
              r.http_status, r.state = 'delivered' AS delivered, r.reason, r.answer, r.trigger,
              c.merchant_id, c.environment, c.next_attempt_at,
              -- Of a result that decided nothing the row has another time. What tells an event
              -- is none itself.
              c.kind = 'notification' AND r.state = 'exhausted' AND c.state = 'exhausted'
                AND c.next_attempt_at = r.next_attempt_at AS is_exhausted
  ), ${writeEvents('callback.exhausted', 'updated', 'callback')}
  INSERT INTO callback_attempts
    (callback_id, number, started_at, duration_ms, http_status, delivered, reason, answer, trigger)
  SELECT callback_id, number, started_at, duration_ms, http_status, delivered, reason, answer, trigger
  FROM updated`;

// A longer lock on a row is not waited for: the batch has results of other merchants.
const FIRST = ['SET LOCAL lock_timeout = 500'];

const LOCK = `
  SELECT id FROM callbacks WHERE id = ANY ($1::text[])
  FOR NO KEY UPDATE SKIP LOCKED`;

/** Splits off further results of a callback in the batch: one UPDATE takes one of each. */
function splitRepeats(results: readonly AttemptResult[]): [AttemptResult[], AttemptResult[]] {
  const seen = new Set<string>();
  const first: AttemptResult[] = [];
  const repeats: AttemptResult[] = [];
  for (const result of results) {
    (seen.has(result.id) ? repeats : first).push(result);
    seen.add(result.id);
  }
  return [first, repeats];
}

async function recordBy(
  query: (config: pg.QueryConfig) => Promise<unknown>,
  results: readonly AttemptResult[],
): Promise<void> {
  const [batch, repeats] = splitRepeats(results);
  if (batch.length === 0) return;
  const values = [
    plainArray(batch, (r) => r.id),
    plainArray(batch, (r) => r.dueAt),
    plainArray(batch, (r) => r.attemptCountBefore),
    plainArray(batch, (r) => r.state),
    plainArray(batch, (r) => r.nextAttemptAt.getTime()),
    plainArray(batch, (r) => r.startedAt.getTime()),
    plainArray(batch, (r) => r.durationMs),
    plainArray(batch, (r) => r.httpStatus),
    batch.map((r) => r.reason),
    // The quotes allow an empty answer.
    plainArray(batch, (r) => r.answer && `"${r.answer.toString('hex')}"`),
    plainArray(batch, (r) => r.trigger),
  ];
  await query({ name: 'callbacks_record', text: RECORD, values });
  await recordBy(query, repeats);
}

/**
 * Records attempts and their consequences: row and attempt in one statement for the whole batch.
 *
 * @returns the results
 * @throws any error of the database, including a long lock on a row; then `recordAgain` accepts the
 *   results, whether or not they were recorded
 */
export async function recordResults(
  pool: pg.Pool,
  results: readonly AttemptResult[],
): Promise<readonly AttemptResult[]> {
  await recordBy((query) => queryByIndexes(pool, query, { first: FIRST }), results);
  return results;
}

/**
 * Records results that `recordResults` failed to record, or lost the answer of. Locked rows are
 * left out: a transaction still under way may have recorded the same.
 *
 * A separate statement locks the others: the next one then sees the attempts of earlier holders,
 * and finds its own among these.
 *
 * @returns the results that are recorded now
 * @throws any error of the database; then they may be given again
 */
export async function recordAgain(
  pool: pg.Pool,
  results: readonly AttemptResult[],
): Promise<readonly AttemptResult[]> {
  return await inTransaction(pool, async (db) => {
    await planByIndexes(db);
    const values = [plainArray(results, (r) => r.id)];
    const lock = { name: 'callbacks_record_lock', text: LOCK, values };
    const { rows } = await db.query<{ id: string }>(lock);
    const free = new Set(rows.map((row) => row.id));
    const recorded = results.filter(({ id }) => free.has(id));
    await recordBy((query) => db.query(query), recorded);
    return recorded;
  });
}
