import type { ClaimedCallback } from '../types.ts';

/**
 * A merchant's queues of callbacks, by their numbers in the index callbacks_queued_by_kind:
 * production's first attempts, its retries, the resends by staff, everything of the sandbox, and the
 * events of both. They share the merchant's requests, so that a resend of 100,000 delays no payment
 * of today.
 */
export const QUEUES = { first: 1, retry: 2, resend: 3, sandbox: 4, event: 5 } as const;

/** The queue that a callback was claimed from. */
export function queueOf({
  kind,
  environment,
  trigger,
  attemptCount,
}: Pick<ClaimedCallback, 'kind' | 'environment' | 'trigger' | 'attemptCount'>): number {
  if (kind === 'event') return QUEUES.event;
  if (environment === 'sandbox') return QUEUES.sandbox;
  if (trigger === 'resend') return QUEUES.resend;
  return attemptCount === 0 ? QUEUES.first : QUEUES.retry;
}

/** The queue of callback `c` as SQL, as in the index callbacks_queued_by_kind. */
export const QUEUE = `(CASE WHEN c.kind = 'event' THEN ${QUEUES.event}
    WHEN c.environment = 'sandbox' THEN ${QUEUES.sandbox}
    WHEN c.next_trigger = 'resend' THEN ${QUEUES.resend}
    WHEN c.attempt_count = 0 THEN ${QUEUES.first} ELSE ${QUEUES.retry} END)`;

/** A part of the merchants: the id to begin at, and the number of queues; placeholders. */
export type Part = { from: string; queues: string };

/**
 * A recursive CTE, `pending_queue`, that walks the partial index (merchant_id, queue,
 * next_attempt_at) from queue to queue and returns the first due row of each: 100,000 pending rows
 * of one queue are one step.
 *
 * @param part all merchants by default
 */
export function pendingQueues(part?: Part): string {
  const begin = part ? `AND c.merchant_id >= ${part.from}::text` : '';
  // The walk completes a merchant: its first queue would otherwise take the others' room.
  const goOn = part ? `WHERE p.step < ${part.queues}::int OR next.merchant_id = p.merchant_id` : '';
  return `pending_queue AS (
    (SELECT c.merchant_id, ${QUEUE} AS queue, c.next_attempt_at, 1 AS step FROM callbacks c
     WHERE c.state = 'pending' ${begin}
     ORDER BY c.merchant_id, ${QUEUE}, c.next_attempt_at LIMIT 1)
    UNION ALL
    SELECT next.merchant_id, next.queue, next.next_attempt_at, p.step + 1
    FROM pending_queue p CROSS JOIN LATERAL (
      SELECT c.merchant_id, ${QUEUE} AS queue, c.next_attempt_at FROM callbacks c
      WHERE c.state = 'pending' AND (c.merchant_id, ${QUEUE}) > (p.merchant_id, p.queue)
      ORDER BY c.merchant_id, ${QUEUE}, c.next_attempt_at LIMIT 1
    ) next ${goOn}
  )`;
}
