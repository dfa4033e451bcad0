import { type Part, pendingQueues, QUEUE, QUEUES } from './queues.ts';

/** How many of a merchant's ten its sandbox may take: a test server that hangs holds up no payment. */
const MAX_SANDBOX_IN_FLIGHT = 5;

/** How many are kept for the first attempts of production, though nothing else could take them. */
export const KEPT_FOR_FIRST = 1;

/** Three times an attempt's limit: a worker that is alive never outlives its lease. */
export const LEASE_MS = 30_000;

/** Ids of notifications and those of their invoices, as SQL: one array from the other. */
const exchanged = (ids: string, from: string, to: string): string =>
  `string_to_array(replace(array_to_string(${ids}, ','), '${from}', '${to}'), ',')`;

/** The invoices of listed callbacks, as SQL: by these the version before knows what is held. */
export const invoicesOf = (ids: string): string => exchanged(ids, 'ntf_', 'inv_');

/** What lease `l` lists, each as `a`: a callback, and when it was due as it was claimed. */
const LISTED = `CROSS JOIN LATERAL
        unnest(coalesce(l.callback_ids, ${exchanged('l.invoice_ids', 'inv_', 'ntf_')}), l.due_ats) AS a (id, due_at)`;

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
  return `(c.state = 'pending' AND (c.id, c.next_attempt_at) IN (
      SELECT a.id, a.due_at FROM callback_leases l ${LISTED}
      WHERE l.merchant_id = ${merchant}::text AND ${isAlive(now)}))`;
}

/**
 * CTEs for the merchants with pending callbacks: their queues, when the first of them falls due,
 * with what each has claimed and how much of it is in flight, in all and by queue (`busy`, a few
 * ids).
 *
 * @param options.now a placeholder
 * @param options.own a query for what the asker holds itself (merchant_id, requests in flight by
 *   queue, callback_ids), who knows it better than its leases
 * @param options.holder a placeholder for the asker's id
 * @param options.part where only a part of the merchants is looked at
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

// How much of merchant `b` of `busy` is in flight that is no first attempt.
export const OTHERS = `(b.in_flight - b.by_queue[${QUEUES.first}])`;

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

/**
 * What of `queue` of merchant `b` of `busy` is due and claimed by nobody, `c`, as conditions.
 *
 * @param first when the first of the queue falls due, as the walk saw it in the same snapshot: what
 *   stands before it in the index is dead, and is not walked over a second time
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
