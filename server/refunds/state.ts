import type { RefundStatus } from './types.ts';

type Step = { from: readonly RefundStatus[]; to: RefundStatus };

/** The steps of a refund. Every other pair of status and step changes nothing. */
export const REFUND_STEPS = {
  succeed: { from: ['PENDING'], to: 'SUCCEEDED' },
  /** It can come days after it succeeded, when the buyer's bank sends the money back. */
  fail: { from: ['PENDING', 'SUCCEEDED'], to: 'FAILED' },
} as const satisfies Record<string, Step>;

export type RefundStep = keyof typeof REFUND_STEPS;

/** The statuses that a step starts from, for `IN` in its statement. */
export function sources(step: RefundStep): string {
  return `(${REFUND_STEPS[step].from.map((status) => `'${status}'`).join(', ')})`;
}
