import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { queryByIndexes } from './index-plans.ts';
import type { ClaimedCallback, HeldClaim } from './types.ts';

/** At most this many requests in flight for one merchant, across all workers. */
export const MAX_IN_FLIGHT_PER_MERCHANT = 10;

/** Three times an attempt's limit: a worker that is alive never outlives its lease. */
export const LEASE_MS = 30_000;

// Any number that no other advisory lock of the gateway uses.
const CLAIM_LOCK = 4_710_001;

// A claim is an unlogged row (a crash of PostgreSQL forgets it, and the callback is only
// sent again), so it has no need to wait for the disk.
const FIRST = ['SET LOCAL synchronous_commit = off', `SELECT pg_advisory_xact_lock(${CLAIM_LOCK})`];

/** Whether somebody is sending the callback of alias `c`, as SQL; `now` is a placeholder. */
export function isClaimed(now: string): string {
  return `EXISTS (SELECT FROM callback_claims k
      WHERE k.invoice_id = c.invoice_id AND k.claimed_until > ${now}::timestamptz)`;
}

/**
 * CTEs that walk the partial index (merchant_id, next_attempt_at) from merchant to
 * merchant (`due_merchant`), so that 100,000 due rows of one are one step of the
 * walk, with what each has claimed and how much of it is in flight (`busy`, a few ids).
 * `now` is a placeholder; `answered` a query for the claims, by invoice and claim id, that
 * hold no request any more.
 */
export function walkMerchants(now: string, answered = 'SELECT NULL, NULL WHERE false'): string {
  return `due_merchant AS (
    (SELECT merchant_id FROM callbacks
     WHERE state = 'pending' ORDER BY merchant_id, next_attempt_at LIMIT 1)
    UNION ALL
    SELECT (SELECT c.merchant_id FROM callbacks c
            WHERE c.state = 'pending' AND c.merchant_id > d.merchant_id
            ORDER BY c.merchant_id, c.next_attempt_at LIMIT 1)
    FROM due_merchant d WHERE d.merchant_id IS NOT NULL
  ), busy AS MATERIALIZED (
    SELECT d.merchant_id, k.*
    FROM due_merchant d
    CROSS JOIN LATERAL (
      SELECT coalesce(array_agg(k.invoice_id), '{}') AS claimed,
             count(*) FILTER (WHERE (k.invoice_id, k.claim_id) NOT IN (${answered}))::int AS in_flight
      FROM callback_claims k
      WHERE k.merchant_id = d.merchant_id AND k.claimed_until > ${now}::timestamptz
    ) k
    WHERE d.merchant_id IS NOT NULL
  )`;
}

// $1 now, $2 limit over all, $3 limit for a merchant, $4 lease end, $5 claim id, $6 and $7 the
// invoices and claims of what this worker has an answer to that is not recorded yet: they are
// still claimed, but not in flight any more. By the claim, for after a lease has run out
// somebody else may have one on the same invoice; and whoever knows the answer asks no second
// time, even then.
//
// rank puts everybody's first request before anybody's second: when there is room
// for few, merchants with the fewest in flight come first.
//
// Rows are handed on by their place (ctid), which is cheaper than their key. A row
// that was changed in between is then not found and left for the next claim. Both
// this and record.ts lock the callback first and its claim second.
const ANSWERED = 'SELECT * FROM unnest($6::text[], $7::text[])';
const CLAIM = `
  WITH RECURSIVE ${walkMerchants('$1', ANSWERED)}, candidate AS MATERIALIZED (
    SELECT c.place
    FROM busy b
    CROSS JOIN LATERAL (
      SELECT due.place, due.next_attempt_at,
             b.in_flight + row_number() OVER (ORDER BY due.next_attempt_at) AS rank
      FROM (
        SELECT c.ctid AS place, c.next_attempt_at FROM callbacks c
        WHERE c.merchant_id = b.merchant_id AND c.state = 'pending'
          AND c.next_attempt_at <= $1::timestamptz AND c.invoice_id <> ALL (b.claimed)
          AND c.invoice_id NOT IN (SELECT unnest($6::text[]))
        ORDER BY c.next_attempt_at
        LIMIT greatest(0, $3::int - b.in_flight)
      ) due
    ) c
    ORDER BY c.rank, c.next_attempt_at
    LIMIT $2::int
  ), free AS MATERIALIZED (
    SELECT c.invoice_id, c.merchant_id, c.environment, c.url, c.body, c.attempt_count,
           c.next_trigger, c.request_id
    FROM callbacks c
    WHERE c.ctid = ANY (ARRAY(SELECT place FROM candidate)) AND c.state = 'pending'
    FOR NO KEY UPDATE SKIP LOCKED
  ), claim AS (
    INSERT INTO callback_claims (invoice_id, merchant_id, claim_id, claimed_until)
    SELECT invoice_id, merchant_id, $5::text, $4::timestamptz FROM free
    ON CONFLICT (invoice_id) DO UPDATE
      SET claim_id = excluded.claim_id, claimed_until = excluded.claimed_until
  )
  SELECT invoice_id AS "invoiceId", merchant_id AS "merchantId", environment, url, body,
         attempt_count AS "attemptCount", next_trigger AS trigger, request_id AS "requestId",
         $5::text AS "claimId"
  FROM free`;

/**
 * Claims up to `limit` due callbacks for this worker until `now` plus the lease.
 *
 * Claims stand in line behind one advisory lock, and each counts after it has the
 * lock (a statement of its own sees what the one before has committed): so the
 * limit for a merchant is exact however many workers there are.
 *
 * @param options.answered this worker's own claims whose answers have come and are not recorded
 *   yet: they count for no merchant's limit, which is one of requests in flight
 * @throws whatever the database does; then nothing is claimed
 */
export async function claimDue(
  pool: pg.Pool,
  {
    now,
    limit,
    perMerchant = MAX_IN_FLIGHT_PER_MERCHANT,
    answered = [],
  }: { now: Date; limit: number; perMerchant?: number; answered?: readonly HeldClaim[] },
): Promise<ClaimedCallback[]> {
  const values = [
    now.toISOString(),
    limit,
    Math.min(perMerchant, MAX_IN_FLIGHT_PER_MERCHANT),
    new Date(now.getTime() + LEASE_MS).toISOString(),
    randomUUID(),
    answered.map(({ invoiceId }) => invoiceId),
    answered.map(({ claimId }) => claimId),
  ];
  const query = { name: 'callbacks_claim', text: CLAIM, values };
  return await queryByIndexes<ClaimedCallback>(pool, query, { first: FIRST });
}
