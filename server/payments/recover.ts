import type { Pool } from 'pg';
import { NoAnswerError, withTimeout } from '../lib/timeout.ts';
import { metrics } from '../observability/metrics.ts';
import { advance, capture, type PaymentContext, voidAuthorisation } from './advance.ts';
import { contextOf, providerOf } from './context.ts';
import { findAttempt } from './data.ts';
import { recoverHold } from './holds/holds.ts';
import { giveUpChallenge, markFailed } from './mutations.ts';
import type { AskedProvider } from './provider.ts';
import { setRecheck, takeRecoverable } from './rechecks.ts';
import { isChallengeOver, isLastLook, nextPoll } from './timing.ts';
import type { PaymentAttempt } from './types.ts';

// The limit is below the lease of an attempt: a call is over before the attempt is taken up again.
const ANSWER_MS = 8_000;

async function recoverChallenge(
  context: PaymentContext,
  attempt: PaymentAttempt,
): Promise<PaymentAttempt> {
  const answer = await context.provider.lookup(attempt, context.clock());
  if (answer.state === 'approved' || answer.state === 'declined') {
    return advance(context, attempt.id, answer);
  }
  const now = context.clock();
  if (!isChallengeOver(attempt, now, context.pageLifeMs)) {
    // The acquirer's pending work is decided within seconds; a buyer takes longer.
    const later = attempt.accountId === null ? 'next_look' : nextPoll(attempt, now);
    await setRecheck(context.db, attempt, answer.state === 'pending' ? 'lease' : later, now);
    return attempt;
  }
  await giveUpChallenge(context.db, attempt.id, context.clock());
  const given = await findAttempt(context.db, attempt.id);
  return given ? voidAuthorisation(context, given) : attempt;
}

/** Voids an attempt that reached the provider, or was approved there, after it had ended. */
async function voidLateAuthorisation(
  context: PaymentContext,
  attempt: PaymentAttempt,
): Promise<PaymentAttempt> {
  const { db, provider, clock, pageLifeMs } = context;
  // The page at the acquirer was shown to nobody, so nobody can have paid there.
  if (attempt.accountId !== null && attempt.authorisationId === null) {
    await setRecheck(db, attempt, 'never', clock());
    return attempt;
  }
  const answer = await provider.lookup(attempt, clock());
  const isOpen = answer.state === 'challenge' && attempt.status === 'failed';
  if (answer.state === 'approved' || isOpen) return advance(context, attempt.id, answer);
  if (answer.state === 'pending') return attempt;
  // A return or a webhook may come before that time: an approval is still possible.
  const now = clock();
  const isOver = answer.state === 'declined' || isLastLook(attempt, now, pageLifeMs);
  if (isOver) await setRecheck(db, attempt, 'never', now);
  // Its page cannot be closed: what the buyer pays there goes back.
  else if (answer.state === 'challenge') await setRecheck(db, attempt, nextPoll(attempt, now), now);
  return attempt;
}

/** Asks the provider for the result of an attempt and takes it from there. */
export async function resumeAttempt(
  context: PaymentContext,
  attempt: PaymentAttempt,
): Promise<PaymentAttempt> {
  switch (attempt.status) {
    case 'authorising': {
      const answer = await context.provider.lookup(attempt, context.clock());
      if (answer.state !== 'unknown') return advance(context, attempt.id, answer);
      await markFailed(context.db, attempt.id, context.clock());
      return (await findAttempt(context.db, attempt.id)) ?? attempt;
    }
    case 'challenge':
      return recoverChallenge(context, attempt);
    case 'capturing':
      return capture(context, attempt);
    case 'voiding':
      return voidAuthorisation(context, attempt);
    // Only a webhook leads here for a declined attempt: its acquirer may have changed its mind.
    case 'declined':
    case 'failed':
    case 'abandoned':
      return voidLateAuthorisation(context, attempt);
    default:
      return attempt;
  }
}

/** Answers in time or not at all: a later answer is dropped, and asked for again. */
function answeringWithin(limitMs: number, provider: AskedProvider): AskedProvider {
  return {
    name: provider.name,
    lookup: (...args) => withTimeout(limitMs, provider.lookup(...args)),
    capture: (...args) => withTimeout(limitMs, provider.capture(...args)),
    void: (...args) => withTimeout(limitMs, provider.void(...args)),
  };
}

async function recoverPayment(
  db: Pool,
  id: string,
  { clock, answerMs }: { clock: () => Date; answerMs: number },
): Promise<void> {
  const attempt = await findAttempt(db, id);
  if (!attempt) return;
  const asked = await providerOf(db, attempt, clock);
  if (asked.kind === 'inbound') {
    await recoverHold(db, asked, attempt, clock());
    return;
  }
  const actor = { type: 'recovery', id } as const;
  const context = contextOf(db, asked, { clock, actor });
  const provider = answeringWithin(answerMs, asked);
  try {
    await resumeAttempt({ ...context, provider }, attempt);
  } catch (error) {
    if (error instanceof NoAnswerError) await setRecheck(db, attempt, 'silence', clock());
    throw error;
  }
}

/**
 * Finishes attempts that a crash left half done: their process has not come back within its lease.
 * One that fails again stays due and holds up no other, nor does an acquirer that does not answer:
 * all taken attempts are worked on at once.
 *
 * @param options.clock asked at every step: a run can take long, and an invoice that ended
 *   meanwhile is not captured
 * @param options.answerMs how long an acquirer may take for an answer
 * @returns the numbers of successes and failures among those taken up, and the reasons
 */
export async function recoverPayments(
  db: Pool,
  { clock, limit, answerMs = ANSWER_MS }: { clock: () => Date; limit: number; answerMs?: number },
): Promise<{ recovered: number; failed: number; errors: unknown[] }> {
  const ids = await takeRecoverable(db, { now: clock(), limit });
  const results = await Promise.allSettled(
    ids.map((id) => recoverPayment(db, id, { clock, answerMs })),
  );
  const errors = results.flatMap((each) => (each.status === 'rejected' ? [each.reason] : []));
  metrics().recoveries.inc({ outcome: 'recovered' }, ids.length - errors.length);
  metrics().recoveries.inc({ outcome: 'failed' }, errors.length);
  return { recovered: ids.length - errors.length, failed: errors.length, errors };
}
