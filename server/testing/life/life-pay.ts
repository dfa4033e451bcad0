import assert from 'node:assert/strict';
import { type PayOutcome, payInvoice } from '../../payments/pay.ts';
import { answerSandboxChallenge } from '../../payments/providers/sandbox/sandbox-challenge.ts';
import {
  SANDBOX_OUTCOMES,
  type SandboxOutcome,
  testCardFor,
} from '../../payments/providers/sandbox/test-cards.ts';
import { cardWith } from '../payments.ts';
import { BUYER, isInProgress, look } from './life.ts';
import { type ChallengeEnd, type Model, nowOf, type Real } from './life-model.ts';
import { untilAsleep } from './life-slow.ts';

/** A card's result; for a challenge, also how it ends whatever the buyer presses. */
type Ending = 'paid' | 'declined' | 'slow' | { challenge: ChallengeEnd };

// A new outcome of the test cards does not compile until it has an entry here.
const ENDINGS: Record<SandboxOutcome, Ending> = {
  approved: 'paid',
  generic_decline: 'declined',
  insufficient_funds: 'declined',
  lost_card: 'declined',
  expired_card: 'declined',
  incorrect_cvc: 'declined',
  processing_error: 'declined',
  challenge_approved: { challenge: 'as answered' },
  challenge_failed: { challenge: 'fail' },
  challenge_abandoned: { challenge: 'leave' },
  slow_approved: 'slow',
};

/** Outcomes that take long: much else can happen meanwhile. */
export const LONG_OUTCOMES = SANDBOX_OUTCOMES.filter((outcome) => {
  const ending = ENDINGS[outcome];
  return ending === 'slow' || typeof ending === 'object';
});

const SLOW_ANSWER_MS = 40_000;
// Longer than any acquirer sleeps here: with a shorter wait the end is never seen.
const WAIT_MS = 60 * 60_000;
const MAX_ATTEMPTS = 10;
const ATTEMPTS_WINDOW_MS = 10 * 60_000;
const MAX_LIFE_ATTEMPTS = 30;

/** No eleventh attempt is possible after ten in ten minutes. Nor is there ever a thirty-first. */
export function hasTriedOften({ attemptsMs, lostAttempts }: Model, real: Real): boolean {
  if (attemptsMs.length - lostAttempts >= MAX_LIFE_ATTEMPTS) return true;
  const sinceMs = real.lane.clock.nowMs - ATTEMPTS_WINDOW_MS;
  return attemptsMs.filter((atMs) => atMs > sinceMs).length >= MAX_ATTEMPTS;
}

/** One card after the other is declined, and then a good one comes too late. */
export async function tryOften(model: Model, real: Real): Promise<void> {
  for (let n = 0; n < MAX_ATTEMPTS; n++) await pay('generic_decline', model, real);
  await pay('approved', model, real);
}

/** Why no attempt is made, or null. */
function refusal(model: Model, real: Real): PayOutcome | null {
  const { status, environment } = model;
  if (status !== 'PENDING') return { outcome: 'final', status };
  if (isInProgress(model)) return { outcome: 'in_progress' };
  if (environment === 'production') return { outcome: 'unavailable' };
  return hasTriedOften(model, real) ? { outcome: 'too_many_attempts' } : null;
}

/** A buyer pays with the card for this outcome. */
export async function pay(outcome: SandboxOutcome, model: Model, real: Real): Promise<void> {
  const { clock, database } = real.lane;
  look(model, real);
  const card = cardWith(testCardFor(outcome).number);
  const paying = await untilAsleep(() =>
    payInvoice(database.pool, real.invoiceId, card, {
      clock: () => nowOf(real),
      actor: BUYER,
      waitMs: WAIT_MS,
      onLateError: (error) => {
        throw error;
      },
    }),
  );
  const refused = refusal(model, real);
  if (refused) {
    assert.deepEqual(paying, { ended: refused });
    return;
  }
  model.attemptsMs.push(clock.nowMs);
  model.challenge = null;
  const ending = ENDINGS[outcome];
  if (ending === 'slow') {
    assert.ok('asleep' in paying, 'the acquirer did not take long');
    model.slow = { answersAtMs: clock.nowMs + SLOW_ANSWER_MS, isOver: false };
    real.slow = paying.asleep;
    return;
  }
  assert.ok('ended' in paying && paying.ended.outcome === 'attempted');
  const { id, status } = paying.ended.attempt;
  if (ending === 'paid') {
    assert.equal(status, 'captured');
    model.status = 'PAID';
  } else if (ending === 'declined') {
    assert.equal(status, 'declined');
  } else {
    assert.equal(status, 'challenge');
    model.challenge = { openedAtMs: clock.nowMs, end: ending.challenge };
    real.attemptId = id;
  }
}

/** The buyer presses one of the open challenge's buttons. */
export async function answerChallenge(
  given: 'approve' | 'fail' | 'leave',
  model: Model,
  real: Real,
): Promise<void> {
  const { pool } = real.lane.database;
  const challenge = { invoiceId: real.invoiceId, attemptId: real.attemptId ?? '', answer: given };
  const after = await answerSandboxChallenge(pool, challenge, {
    clock: () => nowOf(real),
    actor: BUYER,
  });
  const end = model.challenge?.end === 'as answered' ? given : model.challenge?.end;
  model.challenge = null;
  const inTime = real.lane.clock.nowMs <= model.endMs;
  if (end === 'leave') assert.equal(after?.status, 'abandoned');
  else if (end === 'fail') assert.equal(after?.status, 'declined');
  else if (model.status === 'PENDING' && inTime) {
    assert.equal(after?.status, 'captured');
    model.status = 'PAID';
  } else assert.equal(after?.status, 'voided');
}
