import type pg from 'pg';
import { queryByIndexes } from '../../db/index-plans.ts';
import { type Queryable, SERVING } from '../../db/pool.ts';
import type { ClaimedCallback } from '../types.ts';
import { dueOf, fairShare, KEPT_FOR_FIRST, LEASE_MS, OTHERS, roomOf } from './fair-share.ts';
import { HeldCallbacks } from './held-callbacks.ts';
import { type Part, QUEUES } from './queues.ts';

/**
 * The limit of requests in flight for one merchant across all workers; repeated requests after a
 * lost lease are extra.
 */
export const MAX_IN_FLIGHT_PER_MERCHANT = 10;

/** The limit of requests in flight for one process: each holds a socket for up to ten seconds. */
export const MAX_IN_FLIGHT = 2_048;

/**
 * The part kept for merchants with almost nothing in flight. Without it, some two hundred hanging
 * servers would fill all the room, and everybody else would wait out their ten seconds.
 */
export const RESERVED = 512;

/** The number that a merchant may have in flight within the reserve. */
export const FEW_IN_FLIGHT = 2;

/** The lease that an attempt needs at its start: its ten seconds and some more. */
const MIN_LEASE_LEFT_MS = 15_000;

// The number differs from every other advisory lock of the gateway.
const CLAIM_LOCK = 4_710_001;

// A lease is an unlogged row (a crash of PostgreSQL forgets it, and its callbacks are only sent
// again), so it need not wait for the disk. The line of claimers moves on by itself, however long:
// the statement's end releases it. Waits for rows and tables are no longer than elsewhere.
const FIRST = [
  'SET LOCAL synchronous_commit = off',
  'SET LOCAL lock_timeout = 0',
  `SELECT pg_advisory_xact_lock(${CLAIM_LOCK})`,
  `SET LOCAL lock_timeout = ${SERVING.lock}`,
];

const OTHER_QUEUES = Object.keys(QUEUES).length - 1;

// The number that a claim may take from `queue` of merchant `b`, whose first is due at `first`.
const takenOf = (queue: string, first: string) => `
        SELECT c.ctid AS place, c.next_attempt_at FROM callbacks c
        WHERE ${dueOf({ queue, first, now: '$1' })}
        ORDER BY c.next_attempt_at
        LIMIT greatest(0, ${roomOf(queue, '$3::int')})`;

// $1 now, $2 limit over all, $3 limit for a merchant, $4 lease end, $5 holder, $6 to $9 the
// holder's own by merchant: its requests in flight by queue, and its callbacks with their due
// times, including those with unrecorded answers.
//
// A merchant's queue with the fewest in flight comes first (rank). A first attempt
// never comes after one without room; the other queues take turns by the second if there is room
// for only one. Most merchants have one queue, and their rows come in the order read: sorting them
// would be a tenth of a claim.
//
// Merchants come by their number in flight, the fewest first. In turns, everybody's first request
// comes before anybody's second: scarce room goes to the merchants with the fewest in flight. This
// takes a search for each merchant with something due. One merchant after the other, each with all
// that it has room for, the searches end with the requested rows: of a thousand merchants a claim
// reads thirty.
//
// But finding the fewest walks through all merchants with anything pending, at some ten
// microseconds each: half of a small claim with a hundred merchants, nearly all of it with
// thousands. A claim in a round reads only a part of them, by their ids.
//
// Rows are passed on by their place (ctid), which is cheaper than their key. A row changed in
// between is then not found and left for the next claim; versions of PostgreSQL that do not compare
// the place again find it as it is now, and judge it once more.
const claimBy = (order: { merchants: string; rows: string }, part?: Part) => `
  WITH RECURSIVE held AS MATERIALIZED (
    SELECT merchant_id, string_to_array(counts, ',')::int[] AS by_queue,
           string_to_array(ids, ',') AS callback_ids, dues
    FROM unnest($6::text[], $7::text[], $8::text[], $9::text[]) AS h (merchant_id, counts, ids, dues)
    WHERE merchant_id IN (SELECT merchant_id FROM pending_queue)
  ), ${fairShare({
    now: '$1',
    own: 'SELECT merchant_id, by_queue, callback_ids FROM held',
    holder: '$5::text',
    part,
  })}, candidate AS MATERIALIZED (
    SELECT taken.place
    FROM (
      SELECT * FROM busy WHERE due_at <= $1::timestamptz ORDER BY ${order.merchants} OFFSET 0
    ) b
    CROSS JOIN LATERAL (
      SELECT due.place, due.next_attempt_at,
             b.in_flight + row_number() OVER (ORDER BY due.next_attempt_at) AS turn
      FROM (${takenOf('b.queues[1]', 'b.due_at')}) due
      WHERE cardinality(b.queues) = 1
      UNION ALL
      SELECT several.place, several.next_attempt_at, several.turn
      FROM (
        SELECT due.place, due.next_attempt_at,
               b.in_flight + row_number() OVER in_turn AS turn,
               q.queue = ${QUEUES.first} OR ${OTHERS} + count(*) FILTER (WHERE q.queue <> ${QUEUES.first})
                 OVER in_turn <= $3::int - ${KEPT_FOR_FIRST} AS has_room
        FROM unnest(b.queues, b.firsts) AS q (queue, first)
        CROSS JOIN LATERAL (
          SELECT c.place, c.next_attempt_at,
                 b.by_queue[q.queue] + row_number() OVER (ORDER BY c.next_attempt_at) AS rank
          FROM (${takenOf('q.queue', 'q.first')}) c
        ) due
        WINDOW in_turn AS (
          ORDER BY due.rank, q.queue <> ${QUEUES.first},
                   (q.queue + extract(epoch FROM $1::timestamptz)::bigint) % ${OTHER_QUEUES}
          ROWS UNBOUNDED PRECEDING)
      ) several
      WHERE cardinality(b.queues) > 1 AND several.turn <= $3::int AND several.has_room
    ) taken
    ${order.rows}
    LIMIT $2::int
  ), claimed AS MATERIALIZED (
    SELECT c.id, c.kind, c.invoice_id, c.merchant_id, c.environment, c.url, c.body, c.attempt_count,
           c.extra_attempts, c.next_attempt_at, c.next_trigger, c.request_id
    FROM callbacks c
    WHERE c.ctid = ANY (ARRAY(SELECT place FROM candidate))
      -- As in busy: of the conditions themselves PostgreSQL would make a walk of an index.
      AND (SELECT c.state = 'pending' AND c.next_attempt_at <= $1::timestamptz)
    FOR NO KEY UPDATE SKIP LOCKED
  ), leased AS (
    INSERT INTO callback_leases
      (merchant_id, holder_id, callback_ids, due_ats, leased_until)
    SELECT merchant_id, $5::text, callback_ids, due_ats, $4::timestamptz
    FROM (
      SELECT f.merchant_id, coalesce(held.callback_ids, '{}') || f.ids AS callback_ids,
             -- Read here, of the few that get something: reading times takes long.
             coalesce(string_to_array(held.dues, ',')::timestamptz[], '{}') || f.due_ats AS due_ats
      FROM (
        SELECT merchant_id, array_agg(id) AS ids, array_agg(next_attempt_at) AS due_ats
        FROM claimed GROUP BY merchant_id
      ) f LEFT JOIN held ON held.merchant_id = f.merchant_id
    ) l
    ON CONFLICT (merchant_id, holder_id) DO UPDATE
      SET callback_ids = excluded.callback_ids, due_ats = excluded.due_ats,
          leased_until = excluded.leased_until
  )
  SELECT id, kind, invoice_id AS "invoiceId", merchant_id AS "merchantId", environment, url, body,
         attempt_count AS "attemptCount", attempt_count - extra_attempts AS "stepsTaken",
         next_attempt_at::text AS "dueAt", next_trigger AS trigger, request_id AS "requestId",
         ${part ? '(SELECT max(merchant_id) FROM claimed)' : "''"} AS "cameTo"
  FROM claimed`;

const FEWEST_FIRST = 'in_flight, due_at';
const BY_TURNS = {
  name: 'callbacks_claim_by_turns',
  text: claimBy({ merchants: FEWEST_FIRST, rows: 'ORDER BY taken.turn, taken.next_attempt_at' }),
};
const BY_MERCHANTS = {
  name: 'callbacks_claim_by_merchants',
  text: claimBy({ merchants: FEWEST_FIRST, rows: '' }),
};
// $10 the merchant to begin at, $11 the number of queues to read.
const IN_PART = {
  name: 'callbacks_claim_in_part',
  text: claimBy({ merchants: 'merchant_id', rows: '' }, { from: '$10', queues: '$11' }),
};

// A part that has more merchants with room for few than this brings less than it could.
const ROWS_OF_A_QUEUE = 3;

/**
 * A holder's way through the merchants, for claims that follow each other at once. As long as each
 * claim is full, the next begins with the merchant that it reached. After a claim that is not, and
 * so at the end of each round, one reads all merchants: it takes what has been due longest from
 * those with the fewest in flight. Nobody thus waits longer than a round.
 */
export class Round {
  /** The merchant to begin at; null to read all. */
  from: string | null = null;

  /** Whether the next claim reads only a part of the merchants. */
  get isUnderWay(): boolean {
    return this.from !== null;
  }

  /** Notes a claim: whether it was full, and the merchant that it reached. */
  goOn(isFull: boolean, cameTo: string): void {
    this.from = isFull ? cameTo : null;
  }
}

function statementFor(round: Round | undefined) {
  if (!round) return BY_TURNS;
  return round.isUnderWay ? IN_PART : BY_MERCHANTS;
}

type ClaimedRow = Omit<ClaimedCallback, 'sendBeforeMs'> & { cameTo: string };

/**
 * Claims up to `limit` due callbacks for `held` until `now` plus the lease, and notes them there. A
 * holder makes one claim at a time: its holdings are read before, and noted after.
 *
 * Claims queue for one advisory lock, and each counts once it has the lock (a separate statement
 * sees the commits before it): the limit for a merchant is thus exact with any number of workers.
 *
 * @param options.round for a claimer that leaves room and claims again at once: merchants then come
 *   one after the other, instead of everybody's first request before anybody's second. During a
 *   round, a claim that is not full says nothing about the merchants that it did not read
 * @param options.held the caller's holdings; by default none, and it never claims again
 * @throws any error of the database; then nothing is claimed
 */
export async function claimDue(
  pool: pg.Pool,
  {
    now,
    limit,
    perMerchant = MAX_IN_FLIGHT_PER_MERCHANT,
    round,
    held = new HeldCallbacks(),
  }: { now: Date; limit: number; perMerchant?: number; round?: Round; held?: HeldCallbacks },
): Promise<ClaimedCallback[]> {
  // The lease counts from `now`, and a claim may wait long for its connection and turn.
  const sendBeforeMs = performance.now() + LEASE_MS - MIN_LEASE_LEFT_MS;
  const values: unknown[] = [
    now.toISOString(),
    limit,
    Math.min(perMerchant, MAX_IN_FLIGHT_PER_MERCHANT),
    new Date(now.getTime() + LEASE_MS).toISOString(),
    held.id,
    ...held.byMerchant(),
  ];
  if (round?.isUnderWay) values.push(round.from, Math.ceil(limit / ROWS_OF_A_QUEUE));
  const query = { ...statementFor(round), values };
  const rows = await queryByIndexes<ClaimedRow>(pool, query, { first: FIRST });
  round?.goOn(rows.length >= limit, rows[0]?.cameTo ?? '');
  // The rows are rebuilt with one shape: pg's rows get another now and then, and V8 would recompile
  // the code that handles them.
  const claimed = rows.map((row) => ({
    id: row.id,
    kind: row.kind,
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

/** Ends all leases of a holder that claims no more: its callbacks are free at once. */
export async function releaseLeases(db: Queryable, { id }: HeldCallbacks): Promise<void> {
  await db.query('DELETE FROM callback_leases WHERE holder_id = $1', [id]);
}

/**
 * Deletes leases that have run out and have no effect any more.
 *
 * @returns the number deleted
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
