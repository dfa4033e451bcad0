import type pg from 'pg';
import { queryByIndexes } from '../db/index-plans.ts';
import type { Queryable } from '../db/pool.ts';
import { HeldCallbacks } from './held-callbacks.ts';
import { PENDING_QUEUES, QUEUE, QUEUES } from './queues.ts';
import type { ClaimedCallback } from './types.ts';

/**
 * At most this many requests in flight for one merchant, across all workers; what is sent twice
 * after a lease was lost comes on top.
 */
export const MAX_IN_FLIGHT_PER_MERCHANT = 10;

/** At most this many requests in flight for one process: each holds a socket for up to ten seconds. */
export const MAX_IN_FLIGHT = 2_048;

/**
 * How much of that is kept for merchants with next to nothing in flight. Without it some two
 * hundred servers that hang would fill all the room, and everybody else would wait for their ten
 * seconds.
 */
export const RESERVED = 512;

/** What a merchant may have in flight within the reserve. */
export const FEW_IN_FLIGHT = 2;

/** How many of a merchant's ten its sandbox may take: a test server that hangs holds up no payment. */
export const MAX_SANDBOX_IN_FLIGHT = 5;

/** How many are kept for the first attempts of production, though nothing else could take them. */
const KEPT_FOR_FIRST = 1;

/** Three times an attempt's limit: a worker that is alive never outlives its lease. */
export const LEASE_MS = 30_000;
/** What has to be left of a lease to begin an attempt: its ten seconds and some. */
const RESERVE_MS = 15_000;

// Any number that no other advisory lock of the gateway uses.
const CLAIM_LOCK = 4_710_001;

// A lease is an unlogged row (a crash of PostgreSQL forgets it, and its callbacks are only
// sent again), so it has no need to wait for the disk.
const FIRST = ['SET LOCAL synchronous_commit = off', `SELECT pg_advisory_xact_lock(${CLAIM_LOCK})`];

/** What lease `l` lists, each as `a`: an invoice, and when its callback was due as it was claimed. */
const LISTED = 'CROSS JOIN LATERAL unnest(l.invoice_ids, l.due_ats) AS a (invoice_id, due_at)';

/**
 * Whether lease `l` has not run out, as SQL; `now` is a placeholder. One that ends later than any
 * can was written by a clock that was ahead, and would outlive its holder by as much.
 */
const isAlive = (now: string) => `l.leased_until > ${now}::timestamptz
        AND l.leased_until < ${now}::timestamptz + interval '${2 * LEASE_MS} ms'`;

/**
 * Whether somebody is sending the callback of alias `c`, as SQL; `merchant` (whose it is) and `now`
 * are placeholders, so that the leases are read once and not for each row. One whose result is
 * recorded is listed for a while longer, but is not due at that time any more.
 */
export function isClaimed(merchant: string, now: string): string {
  return `(c.state = 'pending' AND (c.invoice_id, c.next_attempt_at) IN (
      SELECT a.invoice_id, a.due_at FROM callback_leases l ${LISTED}
      WHERE l.merchant_id = ${merchant}::text AND ${isAlive(now)}))`;
}

/**
 * CTEs for the merchants with pending callbacks: their queues, when the first of them falls due,
 * with what each has claimed and how much of it is in flight, in all and by queue (`busy`, a few
 * ids).
 *
 * @param options.now a placeholder
 * @param options.own a query for what the asker holds itself (merchant_id, requests in flight by
 *   queue, invoice_ids), who knows it better than its leases
 * @param options.holder a placeholder for the asker's id
 */
export function walkMerchants({
  now,
  own = "SELECT NULL::text, '{}'::int[], '{}'::text[] WHERE false",
  holder = "''",
}: {
  now: string;
  own?: string;
  holder?: string;
}): string {
  const queues = Object.values(QUEUES);
  const ofOthers = queues.map((queue) => `count(*) FILTER (WHERE a.queue = ${queue})::int`);
  const ofBoth = queues.map((q) => `coalesce(own.by_queue[${q}], 0) + others.by_queue[${q}]`);
  return `${PENDING_QUEUES}, pending_merchant AS (
    SELECT merchant_id, array_agg(queue) AS queues, min(next_attempt_at) AS due_at
    FROM pending_queue GROUP BY merchant_id
  ), own (merchant_id, by_queue, invoice_ids) AS MATERIALIZED (${own}
  ), busy AS MATERIALIZED (
    SELECT p.merchant_id, p.queues, p.due_at,
           coalesce(own.invoice_ids, '{}') || others.invoice_ids AS claimed,
           ${ofBoth.join(' + ')} AS in_flight, ARRAY[${ofBoth.join(', ')}] AS by_queue
    FROM pending_merchant p
    LEFT JOIN own ON own.merchant_id = p.merchant_id
    CROSS JOIN LATERAL (
      SELECT coalesce(array_agg(a.invoice_id), '{}') AS invoice_ids,
             ARRAY[${ofOthers.join(', ')}] AS by_queue
      FROM (
        SELECT a.invoice_id,
               -- Not among the conditions, where the state would let PostgreSQL choose the index
               -- of what is pending, to be read as a whole each time.
               (SELECT CASE WHEN c.state = 'pending' AND c.next_attempt_at = a.due_at
                            THEN ${QUEUE} END
                FROM callbacks c WHERE c.invoice_id = a.invoice_id) AS queue
        FROM callback_leases l ${LISTED}
        WHERE l.merchant_id = p.merchant_id AND l.holder_id <> ${holder}
          AND ${isAlive(now)}
        OFFSET 0
      ) a
      WHERE a.queue IS NOT NULL
    ) others
  )`;
}

const OTHER_QUEUES = Object.keys(QUEUES).length - 1;

// How much of merchant `b` of `busy` is in flight that is no first attempt.
const OTHERS = `(b.in_flight - b.by_queue[${QUEUES.first}])`;

/**
 * For how many more of `queue` merchant `b` of `busy` has room when it may have `limit` in flight,
 * as SQL; may be below 0.
 */
export function roomOf(queue: string, limit: string): string {
  const room = `${limit} - b.in_flight`;
  const roomOfOthers = `${limit} - ${KEPT_FOR_FIRST} - ${OTHERS}`;
  const roomOfSandbox = `${MAX_SANDBOX_IN_FLIGHT} - b.by_queue[${QUEUES.sandbox}]`;
  return `CASE ${queue} WHEN ${QUEUES.first} THEN ${room}
    WHEN ${QUEUES.sandbox} THEN least(${room}, ${roomOfOthers}, ${roomOfSandbox})
    ELSE least(${room}, ${roomOfOthers}) END`;
}

/** What of `queue` of merchant `b` of `busy` is due and claimed by nobody, `c`, as conditions. */
export function dueOf(queue: string, now: string): string {
  return `c.merchant_id = b.merchant_id AND ${QUEUE} = ${queue} AND c.state = 'pending'
          AND c.next_attempt_at <= ${now}::timestamptz AND c.invoice_id <> ALL (b.claimed)`;
}

// What of `queue` of merchant `b` a claim may take.
const takenOf = (queue: string) => `
        SELECT c.ctid AS place, c.next_attempt_at FROM callbacks c
        WHERE ${dueOf(queue, '$1')}
        ORDER BY c.next_attempt_at
        LIMIT greatest(0, ${roomOf(queue, '$3::int')})`;

// $1 now, $2 limit over all, $3 limit for a merchant, $4 lease end, $5 holder, $6 to $9 what
// the holder has by merchant: its requests in flight by queue, and its invoices with the times at
// which they were due, those with answers that are not recorded yet included.
//
// Merchants come by what they have in flight, the fewest first. Of a merchant's queues, the one with
// the fewest in flight comes first (rank). A first attempt never comes after one that finds no room;
// of the other queues each has its turn, by the second, where there is room for one only. Most
// merchants have one queue, and their rows come as they are read: sorting them would be a tenth of a
// claim.
//
// By turns, everybody's first request comes before anybody's second: when there is room for few,
// merchants with the fewest in flight get it. It takes a search for each merchant with something
// due. One merchant after the other, each with all that it has room for, the searches end with the
// rows that are asked for: of a thousand merchants a claim reads thirty.
//
// Rows are handed on by their place (ctid), which is cheaper than their key. A row that was
// changed in between is then not found and left for the next claim; or found as it is now, by
// versions of PostgreSQL that do not look at the place again, and judged once more.
const claimInOrder = (order: string) => `
  WITH RECURSIVE held AS MATERIALIZED (
    SELECT merchant_id, string_to_array(counts, ',')::int[] AS by_queue,
           string_to_array(ids, ',') AS invoice_ids,
           string_to_array(dues, ',')::timestamptz[] AS due_ats
    FROM unnest($6::text[], $7::text[], $8::text[], $9::text[]) AS h (merchant_id, counts, ids, dues)
  ), ${walkMerchants({
    now: '$1',
    own: 'SELECT merchant_id, by_queue, invoice_ids FROM held',
    holder: '$5::text',
  })}, candidate AS MATERIALIZED (
    SELECT taken.place
    FROM (
      SELECT * FROM busy WHERE due_at <= $1::timestamptz ORDER BY in_flight, due_at OFFSET 0
    ) b
    CROSS JOIN LATERAL (
      SELECT due.place, due.next_attempt_at,
             b.in_flight + row_number() OVER (ORDER BY due.next_attempt_at) AS turn
      FROM (${takenOf('b.queues[1]')}) due
      WHERE cardinality(b.queues) = 1
      UNION ALL
      SELECT several.place, several.next_attempt_at, several.turn
      FROM (
        SELECT due.place, due.next_attempt_at,
               b.in_flight + row_number() OVER in_turn AS turn,
               q.queue = ${QUEUES.first} OR ${OTHERS} + count(*) FILTER (WHERE q.queue <> ${QUEUES.first})
                 OVER in_turn <= $3::int - ${KEPT_FOR_FIRST} AS has_room
        FROM unnest(b.queues) AS q (queue)
        CROSS JOIN LATERAL (
          SELECT c.place, c.next_attempt_at,
                 b.by_queue[q.queue] + row_number() OVER (ORDER BY c.next_attempt_at) AS rank
          FROM (${takenOf('q.queue')}) c
        ) due
        WINDOW in_turn AS (
          ORDER BY due.rank, q.queue <> ${QUEUES.first},
                   (q.queue + extract(epoch FROM $1::timestamptz)::bigint) % ${OTHER_QUEUES}
          ROWS UNBOUNDED PRECEDING)
      ) several
      WHERE cardinality(b.queues) > 1 AND several.turn <= $3::int AND several.has_room
    ) taken
    ${order}
    LIMIT $2::int
  ), claimed AS MATERIALIZED (
    SELECT c.invoice_id, c.merchant_id, c.environment, c.url, c.body, c.attempt_count,
           c.extra_attempts, c.next_attempt_at, c.next_trigger, c.request_id
    FROM callbacks c
    WHERE c.ctid = ANY (ARRAY(SELECT place FROM candidate))
      -- As in busy: of the conditions themselves PostgreSQL would make a walk of an index.
      AND (SELECT c.state = 'pending' AND c.next_attempt_at <= $1::timestamptz)
    FOR NO KEY UPDATE SKIP LOCKED
  ), leased AS (
    INSERT INTO callback_leases (merchant_id, holder_id, invoice_ids, due_ats, leased_until)
    SELECT f.merchant_id, $5::text, coalesce(held.invoice_ids, '{}') || f.invoice_ids,
           coalesce(held.due_ats, '{}') || f.due_ats, $4::timestamptz
    FROM (
      SELECT merchant_id, array_agg(invoice_id) AS invoice_ids,
             array_agg(next_attempt_at) AS due_ats
      FROM claimed GROUP BY merchant_id
    ) f LEFT JOIN held ON held.merchant_id = f.merchant_id
    ON CONFLICT (merchant_id, holder_id) DO UPDATE
      SET invoice_ids = excluded.invoice_ids, due_ats = excluded.due_ats,
          leased_until = excluded.leased_until
  )
  SELECT invoice_id AS "invoiceId", merchant_id AS "merchantId", environment, url, body,
         attempt_count AS "attemptCount", attempt_count - extra_attempts AS "stepsTaken",
         next_attempt_at::text AS "dueAt", next_trigger AS trigger, request_id AS "requestId"
  FROM claimed`;

const BY_TURNS = {
  name: 'callbacks_claim_by_turns',
  text: claimInOrder('ORDER BY taken.turn, taken.next_attempt_at'),
};
const BY_MERCHANTS = { name: 'callbacks_claim_by_merchants', text: claimInOrder('') };

/**
 * Claims up to `limit` due callbacks for `held` until `now` plus the lease, and notes them there.
 * One claim at a time for a holder: what it holds is read before, and noted after.
 *
 * Claims stand in line behind one advisory lock, and each counts after it has the
 * lock (a statement of its own sees what the one before has committed): so the
 * limit for a merchant is exact however many workers there are.
 *
 * @param options.byTurns false for whoever leaves room and claims again at once: merchants come one
 *   after the other then, instead of everybody's first request before anybody's second
 * @param options.held what the caller holds already; left out: nothing, and it never asks again
 * @throws whatever the database does; then nothing is claimed
 */
export async function claimDue(
  pool: pg.Pool,
  {
    now,
    limit,
    perMerchant = MAX_IN_FLIGHT_PER_MERCHANT,
    byTurns = true,
    held = new HeldCallbacks(),
  }: { now: Date; limit: number; perMerchant?: number; byTurns?: boolean; held?: HeldCallbacks },
): Promise<ClaimedCallback[]> {
  // The lease counts from `now`, and a claim may wait long for its connection and its turn.
  const sendBeforeMs = performance.now() + LEASE_MS - RESERVE_MS;
  const values = [
    now.toISOString(),
    limit,
    Math.min(perMerchant, MAX_IN_FLIGHT_PER_MERCHANT),
    new Date(now.getTime() + LEASE_MS).toISOString(),
    held.id,
    ...held.byMerchant(),
  ];
  const query = { ...(byTurns ? BY_TURNS : BY_MERCHANTS), values };
  const rows = await queryByIndexes<Omit<ClaimedCallback, 'sendBeforeMs'>>(pool, query, {
    first: FIRST,
  });
  // Made anew, so that they all have one shape: pg's rows get another now and then, and V8 would
  // compile whatever handles them once more.
  const claimed = rows.map((row) => ({
    invoiceId: row.invoiceId,
    merchantId: row.merchantId,
    environment: row.environment,
    url: row.url,
    body: row.body,
    attemptCount: row.attemptCount,
    stepsTaken: row.stepsTaken,
    dueAt: row.dueAt,
    trigger: row.trigger,
    requestId: row.requestId,
    sendBeforeMs,
  }));
  held.add(claimed);
  return claimed;
}

/** Ends all leases of a holder that asks no more: what it holds is free at once. */
export async function releaseLeases(db: Queryable, { id }: HeldCallbacks): Promise<void> {
  await db.query('DELETE FROM callback_leases WHERE holder_id = $1', [id]);
}

/**
 * Deletes leases that have run out, which say nothing any more.
 *
 * @returns how many are gone
 */
export async function cleanUpLeases(
  db: Queryable,
  { now, limit }: { now: Date; limit: number },
): Promise<number> {
  const { rowCount } = await db.query(
    `DELETE FROM callback_leases WHERE ctid = ANY (ARRAY(
       SELECT ctid FROM callback_leases WHERE leased_until <= $1::timestamptz
       LIMIT $2::int FOR UPDATE SKIP LOCKED))`,
    [now.toISOString(), limit],
  );
  return rowCount ?? 0;
}
