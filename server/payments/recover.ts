import type { Pool } from 'pg';
import { metrics } from '../lib/metrics.ts';
import { advance, capture, type PaymentContext, voidAuthorisation } from './advance.ts';
import { paymentContext } from './context.ts';
import { findAttempt } from './data.ts';
import {
  giveUpChallenge,
  isChallengeOver,
  markFailed,
  setRecheck,
  takeRecoverable,
} from './mutations.ts';
import type { PaymentAttempt } from './types.ts';

async function recoverChallenge(
  context: PaymentContext,
  attempt: PaymentAttempt,
): Promise<PaymentAttempt> {
  const answer = await context.provider.lookup(attempt.id, context.clock());
  if (answer.state === 'approved' || answer.state === 'declined') {
    return advance(context, attempt.id, answer);
  }
  if (!isChallengeOver(attempt, context.clock())) {
    await setRecheck(context.db, attempt, 'challenge end', context.clock());
    return attempt;
  }
  await giveUpChallenge(context.db, attempt.id, context.clock());
  const given = await findAttempt(context.db, attempt.id);
  return given ? voidAuthorisation(context, given) : attempt;
}

/** Voids what reached the provider after the attempt was given up as lost. */
async function voidLateAuthorisation(
  context: PaymentContext,
  attempt: PaymentAttempt,
): Promise<PaymentAttempt> {
  const { db, provider, clock } = context;
  const answer = await provider.lookup(attempt.id, clock());
  if (answer.state === 'pending') return attempt;
  if (answer.state === 'approved' || answer.state === 'challenge') {
    await provider.void(answer.authorisationId, clock());
  }
  await setRecheck(db, attempt, 'never', clock());
  return attempt;
}

/** Asks the provider what became of an attempt and takes it from there. */
export async function resumeAttempt(
  context: PaymentContext,
  attempt: PaymentAttempt,
): Promise<PaymentAttempt> {
  switch (attempt.status) {
    case 'authorising': {
      const answer = await context.provider.lookup(attempt.id, context.clock());
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
    case 'failed':
      return voidLateAuthorisation(context, attempt);
    default:
      return attempt;
  }
}

/**
 * Finishes what a crash left half done: attempts whose process has not come back
 * within its lease. One that fails again stays due and holds up no other.
 *
 * @param options.clock asked at every step: a run can take long, and an invoice that ended
 *   meanwhile is not captured
 * @returns how many were taken up and how many of those failed
 */
export async function recoverPayments(
  db: Pool,
  { clock, limit }: { clock: () => Date; limit: number },
): Promise<{ recovered: number; failed: number; errors: unknown[] }> {
  const ids = await takeRecoverable(db, { now: clock(), limit });
  const errors: unknown[] = [];
  for (const id of ids) {
    try {
      const attempt = await findAttempt(db, id);
      if (!attempt) continue;
      const context = paymentContext(db, {
        provider: attempt.provider,
        clock,
        actor: { type: 'recovery', id },
      });
      await resumeAttempt(context, attempt);
    } catch (error) {
      errors.push(error);
    }
  }
  metrics().recoveries.inc({ outcome: 'recovered' }, ids.length - errors.length);
  metrics().recoveries.inc({ outcome: 'failed' }, errors.length);
  return { recovered: ids.length - errors.length, failed: errors.length, errors };
}
