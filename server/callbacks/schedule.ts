import type { ClaimedCallback } from './types.ts';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/**
 * The pause after attempt 1, 2, …: the schedule of Standard Webhooks with one more early step, 11
 * attempts over 75 h 35 min.
 */
export const RETRY_DELAYS_MS: readonly number[] = [
  5 * SECOND_MS,
  30 * SECOND_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  14 * HOUR_MS,
  20 * HOUR_MS,
  24 * HOUR_MS,
];

export const MAX_ATTEMPTS = RETRY_DELAYS_MS.length + 1;

type StepTaker = Pick<ClaimedCallback, 'stepsTaken' | 'trigger'>;

/** Spreads joint failures; only added, so that no call is early. */
const MAX_JITTER = 0.1;
/** The most that a merchant's Retry-After can stretch a step. */
const MAX_STRETCH = 2;

/**
 * The step whose pause follows a failed attempt. A resend takes no step: the schedule continues
 * with the interrupted pause, or has none left. Before the first step it is the first's.
 */
export function stepOf({ stepsTaken, trigger }: StepTaker): number {
  return trigger === 'resend' ? Math.max(stepsTaken, 1) : stepsTaken + 1;
}

/**
 * The pause before the next attempt, in ms; null when the attempts are used up.
 *
 * A Retry-After counts between the step's delay and twice it: a merchant can ask for a pause, but
 * neither hurry us nor delay us for ever.
 *
 * @param step of the schedule that the pause follows, 1 for the first attempt
 * @param random a number in [0, 1)
 */
export function retryDelayMs(
  step: number,
  { retryAfterMs, random }: { retryAfterMs: number | null; random: number },
): number | null {
  const delayMs = RETRY_DELAYS_MS[step - 1];
  if (delayMs === undefined) return null;
  const jitteredMs = delayMs * (1 + MAX_JITTER * random);
  const askedMs = Math.min(retryAfterMs ?? 0, delayMs * MAX_STRETCH);
  return Math.round(Math.max(jitteredMs, askedMs));
}

// The three forms of an HTTP date all begin with a day's name and end in a year, a zone or a clock
// (RFC 9110, 5.6.7); Date.parse alone accepts far more.
const HTTP_DATE =
  /^(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*,? .*\d$|^(?:mon|tue|wed|thu|fri|sat|sun).* gmt$/i;

/**
 * Reads a Retry-After header: seconds or an HTTP date (RFC 9110, 10.2.3).
 *
 * @returns ms from `now`, never negative; null if it is missing or senseless
 */
export function parseRetryAfterMs(header: string | null, now: Date): number | null {
  const value = header?.trim() ?? '';
  if (/^\d+$/.test(value)) return Number(value) * SECOND_MS;
  if (!HTTP_DATE.test(value)) return null;
  // The old form of C's asctime names no zone and means GMT.
  const atMs = Date.parse(/gmt$/i.test(value) ? value : `${value} GMT`);
  return Number.isNaN(atMs) ? null : Math.max(0, atMs - now.getTime());
}
