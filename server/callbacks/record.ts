import type pg from 'pg';
import { queryByIndexes } from './index-plans.ts';
import type { AttemptResult } from './types.ts';

// One statement for a batch of results. A result counts if its claim still holds,
// or if no claim is there and nothing was recorded since (PostgreSQL crashed and
// forgot the claim). The result of a lost lease leaves the row as whoever took it
// over made it, but the merchant did get that request: it is kept as an attempt.
//
// A result that stands there already is one whose answer was lost after the commit:
// a worker begins no two attempts for an invoice in the same millisecond.
//
// The row is locked first (as claim.ts does), then its claim is given back, which says
// by the newest version of the claim whose it is. So two late results never share a
// number, and only one of them counts. Not by a join, which PostgreSQL turns round where the
// table of claims was empty when it was last analysed, as it mostly is: then each claim there
// is would be compared with each result.
const RECORD = `
  WITH result AS (
    SELECT * FROM unnest(
      $1::text[], $2::text[], $3::int[], $4::text[], $5::timestamptz[], $6::timestamptz[],
      $7::int[], $8::int[], $9::text[], $10::bytea[], $11::text[]
    ) AS r (invoice_id, claim_id, count_before, state, next_attempt_at, started_at,
            duration_ms, http_status, reason, answer, trigger)
  ), locked AS MATERIALIZED (
    SELECT r.*, c.state = 'pending' AS is_pending, c.attempt_count
    FROM callbacks c JOIN result r ON c.invoice_id = r.invoice_id
    FOR NO KEY UPDATE OF c
  ), released AS (
    DELETE FROM callback_claims k
    WHERE k.invoice_id = ANY (ARRAY(SELECT invoice_id FROM locked))
      AND ((k.invoice_id, k.claim_id) IN (SELECT * FROM unnest($1::text[], $2::text[]))) IS TRUE
    RETURNING k.invoice_id
  ), judged AS MATERIALIZED (
    SELECT l.*, l.attempt_count + 1 AS number,
           l.is_pending AND (
             l.invoice_id IN (SELECT invoice_id FROM released)
             OR (l.attempt_count = l.count_before AND NOT EXISTS (
               SELECT FROM callback_claims k WHERE k.invoice_id = l.invoice_id))
           ) AS holds
    FROM locked l
    WHERE l.attempt_count = l.count_before OR 0 = (
      SELECT count(*) FROM callback_attempts a
      WHERE a.invoice_id = l.invoice_id AND a.started_at = l.started_at)
  ), updated AS (
    UPDATE callbacks c SET
      attempt_count = r.number,
      state = CASE WHEN r.holds THEN r.state::callback_state ELSE c.state END,
      next_attempt_at = CASE WHEN r.holds THEN r.next_attempt_at ELSE c.next_attempt_at END,
      next_trigger = CASE WHEN r.holds THEN 'schedule' ELSE c.next_trigger END,
      delivered_at = CASE WHEN r.holds AND r.state = 'delivered'
                          THEN r.next_attempt_at ELSE c.delivered_at END,
      last_reason = CASE WHEN r.holds THEN r.reason ELSE c.last_reason END,
      last_http_status = CASE WHEN r.holds THEN r.http_status ELSE c.last_http_status END,
      relayed_at = CASE WHEN r.holds THEN NULL ELSE c.relayed_at END
    -- By the key: a row that was waited for is a new version, at a place not yet seen here.
    FROM judged r WHERE c.invoice_id = r.invoice_id
  )
  INSERT INTO callback_attempts
    (invoice_id, number, started_at, duration_ms, http_status, delivered, reason, answer, trigger)
  SELECT invoice_id, number, started_at, duration_ms, http_status, state = 'delivered', reason,
         answer, trigger
  FROM judged`;

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
  pool: pg.Pool,
  results: readonly AttemptResult[],
): Promise<void> {
  const [batch, repeats] = splitRepeats(results);
  if (batch.length === 0) return;
  const values = [
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
  ];
  await queryByIndexes(pool, { name: 'callbacks_record', text: RECORD, values });
  await recordResults(pool, repeats);
}
