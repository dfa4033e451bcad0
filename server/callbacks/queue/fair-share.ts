import { type Part, pendingQueues, QUEUE, QUEUES } from './queues.ts';

/**
 * The sandbox's share of a merchant's ten, and that of events: a hanging test server or address for
 * events delays no payment.
 */
const MAX_BESIDE_IN_FLIGHT = 5;

/** The room kept for production's first attempts, even if nothing else could use it. */
export const KEPT_FOR_FIRST = 1;

/** Three times an attempt's limit: a live worker never outlives its lease. */
export const LEASE_MS = 30_000;

/** The entries of lease `l`, each as `a`: a callback, and its due time when claimed. */
const LISTED = 'CROSS JOIN LATERAL unnest(l.callback_ids, l.due_ats) AS a (id, due_at)';

/**
 * Whether lease `l` has not run out, as SQL; `now` is a placeholder. A lease that ends later than
 * possible comes from a clock that was ahead, and would outlive its holder by as much.
 */
const isAlive = (now: string) => `l.leased_until > ${now}::timestamptz
        AND l.leased_until < ${now}::timestamptz + interval '${2 * LEASE_MS} ms'`;

/**
 * Whether somebody is sending the callback of alias `c`, as SQL. `merchant` (its owner) and `now`
 * are placeholders, so that the leases are read once and not for each row. A callback with a
 * recorded result is listed a while longer, but is no longer due at that time.
 */
export function isClaimed(merchant: string, now: string): string {
  return `(c.state = 'pending' AND (c.id, c.next_attempt_at) IN (
      SELECT a.id, a.due_at FROM callback_leases l ${LISTED}
      WHERE l.merchant_id = ${merchant}::text AND ${isAlive(now)}))`;
}

/**
 * CTEs for the merchants with pending callbacks: their queues, each with its first due time, their
 * claimed callbacks, and the number in flight, in all and by queue (`busy`, a few ids).
 *
 * @param options.now a placeholder
 * @param options.own a query for the claimer's own holdings (merchant_id, requests in flight by
 *   queue, callback_ids), which it knows better than its leases do
 * @param options.holder a placeholder for the claimer's id
 * @param options.part limits the walk to a part of the merchants
 */
export function fairShare({
  now,
  own = "SELECT NULL::text, '{}'::int[], '{}'::text[] WHERE false",
  holder = "''",
  part,
}: {
  now: string;
  own?: string;
  holder?: string;
  part?: Part;
}): string {
  const queues = Object.values(QUEUES);
  const ofOthers = queues.map((queue) => `count(*) FILTER (WHERE a.queue = ${queue})::int`);
  const ofBoth = queues.map((q) => `coalesce(own.by_queue[${q}], 0) + others.by_queue[${q}]`);
  return `${pendingQueues(part)}, pending_merchant AS (
    SELECT merchant_id, array_agg(queue) AS queues, array_agg(next_attempt_at) AS firsts,
           min(next_attempt_at) AS due_at
    FROM pending_queue GROUP BY merchant_id
    HAVING min(next_attempt_at) <= ${now}::timestamptz
  ), own (merchant_id, by_queue, callback_ids) AS MATERIALIZED (${own}
  ), busy AS MATERIALIZED (
    SELECT p.merchant_id, p.queues, p.firsts, p.due_at,
           coalesce(own.callback_ids, '{}') || others.callback_ids AS claimed,
           ${ofBoth.join(' + ')} AS in_flight, ARRAY[${ofBoth.join(', ')}] AS by_queue
    FROM pending_merchant p
    LEFT JOIN own ON own.merchant_id = p.merchant_id
    CROSS JOIN LATERAL (
      SELECT coalesce(array_agg(a.id), '{}') AS callback_ids,
             ARRAY[${ofOthers.join(', ')}] AS by_queue
      FROM (
        SELECT a.id,
               -- Not among the conditions, where the state would let PostgreSQL choose the index
               -- of what is pending, to be read as a whole each time.
               (SELECT CASE WHEN c.state = 'pending' AND c.next_attempt_at = a.due_at
                            THEN ${QUEUE} END
                FROM callbacks c WHERE c.id = a.id) AS queue
        FROM callback_leases l ${LISTED}
        WHERE l.merchant_id = p.merchant_id AND l.holder_id <> ${holder}
          AND ${isAlive(now)}
        OFFSET 0
      ) a
      WHERE a.queue IS NOT NULL
    ) others
  )`;
}

// The number of merchant `b` of `busy` in flight that are not first attempts.
export const OTHERS = `(b.in_flight - b.by_queue[${QUEUES.first}])`;

/**
 * The room of merchant `b` of `busy` for more of `queue` when it may have `limit` in flight, as
 * SQL; may be below 0.
 */
export function roomOf(queue: string, limit: string): string {
  const room = `${limit} - b.in_flight`;
  const roomOfOthers = `${limit} - ${KEPT_FOR_FIRST} - ${OTHERS}`;
  const roomBeside = `${MAX_BESIDE_IN_FLIGHT} - b.by_queue[${queue}]`;
  return `CASE ${queue} WHEN ${QUEUES.first} THEN ${room}
    WHEN ${QUEUES.sandbox} THEN least(${room}, ${roomOfOthers}, ${roomBeside})
    WHEN ${QUEUES.event} THEN least(${room}, ${roomOfOthers}, ${roomBeside})
    ELSE least(${room}, ${roomOfOthers}) END`;
}

/**
 * The unclaimed due callbacks, `c`, in `queue` of merchant `b` of `busy`, as conditions.
 *
 * @param first the queue's first due time, as the walk saw it in the same snapshot: index entries
 *   before it are dead, and are not walked over again
 */
export function dueOf({
  queue,
  first,
  now,
}: {
  queue: string;
  first: string;
  now: string;
}): string {
  return `c.merchant_id = b.merchant_id AND ${QUEUE} = ${queue} AND c.state = 'pending'
          AND c.next_attempt_at BETWEEN ${first} AND ${now}::timestamptz
          AND c.id <> ALL (b.claimed)`;
}
