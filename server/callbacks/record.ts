import type { Queryable } from '../db/pool.ts';
import type { AttemptResult } from './types.ts';

// One statement for a batch of results. A result counts if its claim still holds,
// or if no claim is there and nothing was recorded since (PostgreSQL crashed and
// forgot the claim). The result of a lost lease leaves the row as whoever took it
// over made it, but the merchant did get that request: it is kept as an attempt.
//
// A result that stands there already is one whose answer was lost after the commit:
// a worker begins no two attempts for an invoice in the same millisecond.
//
// attempt_count is read and written under the row's lock, so that two late
// results never share a number.
const RECORD = `
  WITH result AS (
    SELECT * FROM unnest(
      $1::text[], $2::text[], $3::int[], $4::text[], $5::timestamptz[], $6::timestamptz[],
      $7::int[], $8::int[], $9::text[], $10::bytea[], $11::text[]
    ) AS r (invoice_id, claim_id, count_before, state, next_attempt_at, started_at,
            duration_ms, http_status, reason, answer, trigger)
  ), updated AS (
    UPDATE callbacks c SET
      attempt_count = c.attempt_count + 1,
      state = CASE WHEN ${holds('c')} THEN r.state::callback_state ELSE c.state END,
      next_attempt_at = CASE WHEN ${holds('c')} THEN r.next_attempt_at ELSE c.next_attempt_at END,
      next_trigger = CASE WHEN ${holds('c')} THEN 'schedule' ELSE c.next_trigger END,
      delivered_at = CASE WHEN ${holds('c')} AND r.state = 'delivered'
                          THEN r.next_attempt_at ELSE c.delivered_at END,
      last_reason = CASE WHEN ${holds('c')} THEN r.reason ELSE c.last_reason END,
      last_http_status = CASE WHEN ${holds('c')} THEN r.http_status ELSE c.last_http_status END,
      relayed_at = CASE WHEN ${holds('c')} THEN NULL ELSE c.relayed_at END,
      claimed_until = CASE WHEN ${holds('c')} THEN NULL ELSE c.claimed_until END,
      claim_id = CASE WHEN ${holds('c')} THEN NULL ELSE c.claim_id END
    FROM result r
    WHERE c.invoice_id = r.invoice_id AND NOT EXISTS (
      SELECT FROM callback_attempts a
      WHERE a.invoice_id = r.invoice_id AND a.started_at = r.started_at)
    RETURNING c.invoice_id, c.attempt_count
  )
  INSERT INTO callback_attempts
    (invoice_id, number, started_at, duration_ms, http_status, delivered, reason, answer, trigger)
  SELECT u.invoice_id, u.attempt_count, r.started_at, r.duration_ms, r.http_status,
         r.state = 'delivered', r.reason, r.answer, r.trigger
  FROM updated u JOIN result r ON r.invoice_id = u.invoice_id`;

function holds(row: string): string {
  return `(${row}.claim_id = r.claim_id OR (${row}.claim_id IS NULL AND ${row}.state = 'pending'
            AND ${row}.attempt_count = r.count_before))`;
}

/** Splits off results for an invoice that is in the batch already: one UPDATE takes one. */
function splitRepeats(results: readonly AttemptResult[]): [AttemptResult[], AttemptResult[]] {
  const seen = new Set<string>();
  const first: AttemptResult[] = [];
  const repeats: AttemptResult[] = [];
  for (const result of results) {
    (seen.has(result.invoiceId) ? repeats : first).push(result);
    seen.add(result.invoiceId);
  }
  return [first, repeats];
}

/**
 * Records attempts and what follows from them: row and attempt in one statement
 * for the whole batch.
 *
 * @throws whatever the database does; then a batch is recorded as a whole or not
 *   at all, and may be given again
 */
export async function recordResults(
  db: Queryable,
  results: readonly AttemptResult[],
): Promise<void> {
  const [batch, repeats] = splitRepeats(results);
  if (batch.length === 0) return;
  await db.query({
    name: 'callbacks_record',
    text: RECORD,
    values: [
      batch.map((r) => r.invoiceId),
      batch.map((r) => r.claimId),
      batch.map((r) => r.attemptCountBefore),
      batch.map((r) => r.state),
      batch.map((r) => r.nextAttemptAt.toISOString()),
      batch.map((r) => r.startedAt.toISOString()),
      batch.map((r) => r.durationMs),
      batch.map((r) => r.httpStatus),
      batch.map((r) => r.reason),
      batch.map((r) => r.answer),
      batch.map((r) => r.trigger),
    ],
  });
  await recordResults(db, repeats);
}
