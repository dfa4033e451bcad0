import type { AttemptStatus } from './types.ts';

type Step = { from: readonly AttemptStatus[]; to: readonly AttemptStatus[] };

/**
 * The steps of an attempt to pay. Every other pair of status and step changes nothing. The
 * statement of a step decides between two possible ends.
 */
export const ATTEMPT_STEPS = {
  /** The acquirer wants 3-D Secure first. */
  challenge: { from: ['authorising'], to: ['challenge'] },
  /** The address of an open challenge became known. */
  addUrl: { from: ['challenge'], to: ['challenge'] },
  /** The attempt is abandoned where the buyer left the challenge. */
  decline: { from: ['authorising', 'challenge'], to: ['declined', 'abandoned'] },
  /** The acquirer never heard of it. */
  fail: { from: ['authorising'], to: ['failed'] },
  /** The money is there: the holder of the invoice's claim captures it, the others give it back. */
  claim: { from: ['authorising', 'challenge'], to: ['capturing', 'voiding'] },
  /** The acquirer has accepted the order to capture and not carried it out. */
  hold: { from: ['capturing'], to: ['capturing'] },
  capture: { from: ['capturing'], to: ['captured'] },
  /** The acquirer refused to capture. */
  release: { from: ['capturing'], to: ['voiding'] },
  /** The buyer left the challenge, took too long, or began anew. */
  giveUp: { from: ['challenge'], to: ['voiding'] },
  /** The acquirer that calls us gave the payment up; abandoned where the buyer left. */
  drop: { from: ['capturing', 'challenge'], to: ['declined', 'abandoned'] },
  /** A hold has lasted its full time: the invoice is free, and the acquirer may still come. */
  endHold: { from: ['capturing'], to: ['challenge'] },
  /** The attempt is abandoned where the buyer left the challenge. */
  void: { from: ['voiding'], to: ['voided', 'abandoned'] },
  /** An approval came to light after the end. */
  voidLate: { from: ['failed', 'abandoned', 'declined', 'voiding', 'voided'], to: ['voiding'] },
  /** A challenge came to light after the attempt was given up as lost. */
  withdraw: { from: ['failed'], to: ['voiding'] },
} as const satisfies Record<string, Step>;

export type AttemptStep = keyof typeof ATTEMPT_STEPS;

/** Statuses that await the acquirer's answer or move money: one for an invoice at a time. */
export const AT_WORK = ['authorising', 'capturing'] as const satisfies AttemptStatus[];
/** Statuses that take money or give it back. */
export const MONEY_MOVING = ['capturing', 'voiding'] as const satisfies AttemptStatus[];
/** Statuses in which only this attempt may capture or void the authorisation that it names. */
export const HOLDING = [
  'challenge',
  'capturing',
  'captured',
  'voiding',
] as const satisfies AttemptStatus[];
/** Statuses that an acquirer's answer, or the lack of one, is still to end. */
export const OPEN = [
  'authorising',
  'challenge',
  'capturing',
  'voiding',
] as const satisfies AttemptStatus[];

/** Whether this status excludes another attempt beside it. */
export function isAtWork(status: AttemptStatus): boolean {
  return (AT_WORK as readonly AttemptStatus[]).includes(status);
}

/** A list of statuses for `IN` in a statement: constants of this file, never input. */
export function sqlList(statuses: readonly AttemptStatus[]): string {
  return `(${statuses.map((status) => `'${status}'`).join(', ')})`;
}

/** The statuses that a step starts from, for `IN` in its statement. */
export function sources(step: AttemptStep): string {
  return sqlList(ATTEMPT_STEPS[step].from);
}
