import type { ClaimedCallback } from './types.ts';

/**
 * The queues in which a merchant's callbacks stand, by the numbers that the index callbacks_queued
 * gives them: production's first attempts, its later ones, and whatever is the sandbox's. They
 * share the merchant's requests, so that a resend of 100,000 holds up no payment of today.
 */
export const QUEUES = { first: 1, later: 2, sandbox: 3 } as const;
export type Queue = keyof typeof QUEUES;

/** The queue that a callback was claimed from. */
export function queueOf({
  environment,
  attemptCount,
}: Pick<ClaimedCallback, 'environment' | 'attemptCount'>): Queue {
  if (environment === 'sandbox') return 'sandbox';
  return attemptCount === 0 ? 'first' : 'later';
}
