import type { PaymentAttempt } from './types.ts';

// A process holds an attempt until then while it works on it; if it dies, recovery takes over by
// asking the acquirer, which does no harm to one that is only slow.
export const AUTHORISING_LEASE_MS = 15_000;
export const MONEY_MOVING_LEASE_MS = 10_000;
export const CHALLENGE_LIFETIME_MS = 15 * 60_000;
// How often an acquirer is asked about a buyer who is elsewhere, or an accepted capture: a buyer
// who never comes back, and a lost webhook, cost no more than this.
export const NEXT_LOOK_MS = 60_000;
// How long an authorisation unknown to the acquirer can still be on its way, and an approval of a
// given-up attempt: as long as a request can live.
export const LATE_AUTHORISATION_MS = 10 * 60_000;
export const SOON_MS = 2_000;
// The time is later than any requested look, even by a clock that is some seconds ahead.
export const NO_LOOK_MS = LATE_AUTHORISATION_MS + 60_000;
// One return from an open challenge in this time asks the acquirer: anybody can repeat returns.
export const RETURN_PAUSE_MS = 3_000;
// The time gives others their turn, and stays within the minute that recovery may take.
export const SILENCE_MS = 30_000;

/** How long an acquirer that calls us may keep an invoice for itself. */
export const HOLD_MS = 30 * 60_000;

export const later = (now: Date, byMs: number): string =>
  new Date(now.getTime() + byMs).toISOString();

/** Whether a challenge, or a payment at an acquirer's page, has reached its longest duration. */
export function isChallengeOver(
  attempt: Pick<PaymentAttempt, 'createdAtMs'>,
  now: Date,
  lifeMs = CHALLENGE_LIFETIME_MS,
): boolean {
  return now.getTime() >= attempt.createdAtMs + lifeMs;
}

// The waits after the start of a payment at an acquirer's page; then one every ten minutes.
const POLLS_MS = [10_000, 30_000, 60_000, 120_000, 300_000];

/** When the acquirer is next asked about a payment at its page. */
export function nextPoll({ createdAtMs }: { createdAtMs: number }, now: Date): Date {
  const next = POLLS_MS.find((afterMs) => createdAtMs + afterMs > now.getTime());
  return new Date(next === undefined ? now.getTime() + LATE_AUTHORISATION_MS : createdAtMs + next);
}

/**
 * Whether nothing can still be on its way to an attempt that was given up. Not every acquirer can
 * close its page, so the page may outlive the attempt.
 */
export function isLastLook(
  { createdAtMs, updatedAtMs }: Pick<PaymentAttempt, 'createdAtMs' | 'updatedAtMs'>,
  now: Date,
  pageLifeMs = 0,
): boolean {
  const lastMs = Math.max(updatedAtMs, createdAtMs + pageLifeMs);
  return now.getTime() >= lastMs + LATE_AUTHORISATION_MS;
}

/**
 * When recovery looks at a hold next: when it ends, or ten minutes from now. Nothing is ever looked at
 * later than `NO_LOOK_MS`.
 */
export function nextHoldLook({ createdAtMs }: { createdAtMs: number }, now: Date): string {
  const endsMs = createdAtMs + HOLD_MS;
  const pauseMs = now.getTime() + LATE_AUTHORISATION_MS;
  return new Date(endsMs > now.getTime() ? Math.min(endsMs, pauseMs) : pauseMs).toISOString();
}
