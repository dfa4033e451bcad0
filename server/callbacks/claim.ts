import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import type { ClaimedCallback } from './types.ts';

/** At most this many requests in flight for one merchant, across all workers. */
export const MAX_IN_FLIGHT_PER_MERCHANT = 10;

/** Three times an attempt's limit: a worker that is alive never outlives its lease. */
export const LEASE_MS = 30_000;

// Any number that no other advisory lock of the gateway uses.
const CLAIM_LOCK = 4_710_001;

// A claim that a crash of PostgreSQL forgets is only sent again, which "at least
// once" allows and record.ts mostly avoids; so it need not wait for the disk. The
// plan does not depend on the values, and planning takes as long as claiming ten rows.
const BEGIN = [
  'BEGIN',
  'SET LOCAL synchronous_commit = off',
  'SET LOCAL plan_cache_mode = force_generic_plan',
  `SELECT pg_advisory_xact_lock(${CLAIM_LOCK})`,
].join('; ');

// $1 now, $2 limit over all, $3 limit for a merchant, $4 lease end, $5 claim id.
//
// due_merchant walks the partial index (merchant_id, next_attempt_at) from
// merchant to merchant, so that 100,000 due rows of one are one step of the walk.
// rank puts everybody's first request before anybody's second: when there is room
// for few, merchants with the fewest in flight come first.
//
// Rows are handed on by their place (ctid), which is cheaper than their key. A row
// that was changed in between is then not found and left for the next claim.
const CLAIM = `
  WITH RECURSIVE due_merchant AS (
    (SELECT merchant_id FROM callbacks
     WHERE state = 'pending' ORDER BY merchant_id LIMIT 1)
    UNION ALL
    SELECT (SELECT c.merchant_id FROM callbacks c
            WHERE c.state = 'pending' AND c.merchant_id > d.merchant_id
            ORDER BY c.merchant_id LIMIT 1)
    FROM due_merchant d WHERE d.merchant_id IS NOT NULL
  ), busy AS MATERIALIZED (
    SELECT merchant_id, count(*)::int AS in_flight FROM callbacks
    WHERE claimed_until IS NOT NULL AND claimed_until > $1::timestamptz
    GROUP BY merchant_id
  ), candidate AS MATERIALIZED (
    SELECT c.place
    FROM due_merchant d
    LEFT JOIN busy b ON b.merchant_id = d.merchant_id
    CROSS JOIN LATERAL (
      SELECT due.place, due.next_attempt_at,
             coalesce(b.in_flight, 0) + row_number() OVER (ORDER BY due.next_attempt_at) AS rank
      FROM (
        SELECT ctid AS place, next_attempt_at FROM callbacks
        WHERE merchant_id = d.merchant_id AND state = 'pending'
          AND next_attempt_at <= $1::timestamptz
          AND (claimed_until IS NULL OR claimed_until <= $1::timestamptz)
        ORDER BY next_attempt_at
        LIMIT greatest(0, $3::int - coalesce(b.in_flight, 0))
      ) due
    ) c
    WHERE d.merchant_id IS NOT NULL
    ORDER BY c.rank, c.next_attempt_at
    LIMIT $2::int
  ), free AS MATERIALIZED (
    SELECT c.ctid AS place FROM callbacks c
    WHERE c.ctid = ANY (ARRAY(SELECT place FROM candidate))
      AND c.state = 'pending'
      AND (c.claimed_until IS NULL OR c.claimed_until <= $1::timestamptz)
    FOR NO KEY UPDATE SKIP LOCKED
  )
  UPDATE callbacks c SET claimed_until = $4::timestamptz, claim_id = $5::text
  FROM free WHERE c.ctid = free.place
  RETURNING c.invoice_id AS "invoiceId", c.merchant_id AS "merchantId", c.environment, c.url,
            c.body, c.attempt_count AS "attemptCount", c.next_trigger AS trigger,
            c.claim_id AS "claimId"`;

/**
 * Claims up to `limit` due callbacks for this worker until `now` plus the lease.
 *
 * Claims stand in line behind one advisory lock, and each counts after it has the
 * lock (a statement of its own sees what the one before has committed): so the
 * limit for a merchant is exact however many workers there are.
 *
 * @throws whatever the database does; then nothing is claimed
 */
export async function claimDue(
  pool: pg.Pool,
  {
    now,
    limit,
    perMerchant = MAX_IN_FLIGHT_PER_MERCHANT,
  }: { now: Date; limit: number; perMerchant?: number },
): Promise<ClaimedCallback[]> {
  const client = await pool.connect();
  // A connection that breaks between two statements says so by an event only;
  // without a listener that ends the process.
  const ignore = () => undefined;
  client.on('error', ignore);
  try {
    await client.query(BEGIN);
    const { rows } = await client.query<ClaimedCallback>({
      name: 'callbacks_claim',
      text: CLAIM,
      values: [
        now.toISOString(),
        limit,
        Math.min(perMerchant, MAX_IN_FLIGHT_PER_MERCHANT),
        new Date(now.getTime() + LEASE_MS).toISOString(),
        randomUUID(),
      ],
    });
    await client.query('COMMIT');
    client.off('error', ignore);
    client.release();
    return rows;
  } catch (error) {
    // The connection is thrown away with its transaction: a rollback on one that
    // broke would only fail again.
    client.release(true);
    throw error;
  }
}
