import type { ClaimedCallback } from './types.ts';

/**
 * The queues in which a merchant's callbacks stand, by the numbers that the index callbacks_queued
 * gives them: production's first attempts, its retries, what staff asked to be sent again, and
 * whatever is the sandbox's. They share the merchant's requests, so that a resend of 100,000 holds
 * up no payment of today.
 */
export const QUEUES = { first: 1, retry: 2, resend: 3, sandbox: 4 } as const;

/** The queue that a callback was claimed from. */
export function queueOf({
  environment,
  trigger,
  attemptCount,
}: Pick<ClaimedCallback, 'environment' | 'trigger' | 'attemptCount'>): number {
  if (environment === 'sandbox') return QUEUES.sandbox;
  if (trigger === 'resend') return QUEUES.resend;
  return attemptCount === 0 ? QUEUES.first : QUEUES.retry;
}
