import type { PaymentAttempt } from './types.ts';

// While a process works on an attempt it holds it until then; if it dies, recovery
// takes over by asking the acquirer, which does no harm to one that is only slow.
export const AUTHORISING_LEASE_MS = 15_000;
export const MONEY_MOVING_LEASE_MS = 10_000;
export const CHALLENGE_LIFETIME_MS = 15 * 60_000;
// How often an acquirer is asked about a buyer who is elsewhere, or a capture that it has accepted:
// one who never comes back, and a webhook that is lost, cost no more than this.
export const NEXT_LOOK_MS = 60_000;
// How long an authorisation can still be on its way to an acquirer that knew
// nothing of it, and an approval of what was given up: as long as a request can live.
export const LATE_AUTHORISATION_MS = 10 * 60_000;
export const SOON_MS = 2_000;
// Later than any look is asked for, also by a clock that is some seconds ahead.
export const NO_LOOK_MS = LATE_AUTHORISATION_MS + 60_000;
// Of returns from an open challenge, which anybody can repeat, one in so long has the acquirer asked.
export const RETURN_PAUSE_MS = 3_000;
// Long enough for others to have their turn, and still within the minute that recovery may take.
export const SILENCE_MS = 30_000;

/** How long an acquirer that calls us may keep an invoice for itself. */
export const HOLD_MS = 30 * 60_000;

export const later = (now: Date, byMs: number): string =>
  new Date(now.getTime() + byMs).toISOString();

/** Whether a challenge, or a payment at an acquirer's page, has lasted as long as one may. */
export function isChallengeOver(
  attempt: Pick<PaymentAttempt, 'createdAtMs'>,
  now: Date,
  lifeMs = CHALLENGE_LIFETIME_MS,
): boolean {
  return now.getTime() >= attempt.createdAtMs + lifeMs;
}

// After a payment at an acquirer's page was begun; then every ten minutes.
const POLLS_MS = [10_000, 30_000, 60_000, 120_000, 300_000];

/** When the acquirer is asked next about a payment at its page. */
export function nextPoll({ createdAtMs }: { createdAtMs: number }, now: Date): Date {
  const next = POLLS_MS.find((afterMs) => createdAtMs + afterMs > now.getTime());
  return new Date(next === undefined ? now.getTime() + LATE_AUTHORISATION_MS : createdAtMs + next);
}

/** Whether nothing can be on its way any more to an attempt that was given up. */
export function isLastLook(attempt: Pick<PaymentAttempt, 'updatedAtMs'>, now: Date): boolean {
  return now.getTime() >= attempt.updatedAtMs + LATE_AUTHORISATION_MS;
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
