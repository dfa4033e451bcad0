import type { Pool } from 'pg';
import type { Actor } from '../invoices/types.ts';
import { processWide } from '../lib/process-wide.ts';
import { advance } from './advance.ts';
import { contextOf, demandRightClock, providerOf } from './context.ts';
import { findAttempt } from './data.ts';
import { setRecheck, takeDue, takeReturn } from './rechecks.ts';
import { resumeAttempt } from './recover.ts';
import type { PaymentAttempt } from './types.ts';

/**
 * Goes on with a payment by what its acquirer says of it now. This is all that there is to do when
 * an acquirer's webhook (once its signature is checked) says that something has happened, which is not
 * believed: it only tells that it is time to ask.
 *
 * Safe in any order, twice, and at once with each other and with recovery: every step is a guarded
 * update, and whoever comes second finds nothing left to do.
 *
 * @returns the attempt as it stands, or null when there is none
 * @throws when the acquirer cannot be asked, or this process's clock is wrong; recovery asks it again
 *   within seconds
 */
export async function resumePayment(
  db: Pool,
  attemptId: string,
  options: { clock: () => Date; actor: Actor },
): Promise<PaymentAttempt | null> {
  await demandRightClock(db);
  const attempt = await findAttempt(db, attemptId);
  if (!attempt) return null;
  const { clock } = options;
  const provider = await providerOf(db, attempt, clock);
  // Such an acquirer tells us by itself.
  if (provider.kind === 'inbound') return attempt;
  const context = contextOf(db, provider, options);
  if (attempt.status === 'authorising') {
    // It may still be on its way to the acquirer: only recovery, after a lease, gives it up as lost.
    const answer = await context.provider.lookup(attempt, clock());
    return answer.state === 'unknown' ? attempt : advance(context, attempt.id, answer);
  }
  // If this process dies from here on, or the acquirer is away, recovery does not wait for long.
  if (attempt.status === 'challenge') await setRecheck(db, attempt, 'lease', clock());
  return resumeAttempt(context, attempt);
}

/** By attempt: the answer that a return in this process waits for. */
const asking = processWide('returns', () => new Map<string, Promise<PaymentAttempt | null>>());

async function ask(
  db: Pool,
  attemptId: string,
  options: { clock: () => Date; actor: Actor },
): Promise<PaymentAttempt | null> {
  const after = await resumePayment(db, attemptId, options);
  // A return that came meanwhile asked nothing: what it brought does not wait for the next minute.
  if (after?.status === 'challenge') await setRecheck(db, after, 'lease', options.clock());
  return after;
}

/**
 * The same when the buyer comes back from 3-D Secure, which anybody can do as often as they like: only
 * of an open challenge is that news, and of the returns of a moment the first alone asks. Another one,
 * as of a second click, waits for the answer where it is asked for in this process. In any other state
 * the acquirer is asked when it is time for it, by whoever comes first, and else the attempt is
 * answered as it is known.
 */
export async function resumeOnReturn(
  db: Pool,
  attemptId: string,
  options: { clock: () => Date; actor: Actor },
): Promise<PaymentAttempt | null> {
  await demandRightClock(db);
  const attempt = await findAttempt(db, attemptId);
  const take = attempt?.status === 'challenge' ? takeReturn : takeDue;
  if (!(await take(db, attemptId, options.clock()))) return asking.get(attemptId) ?? attempt;
  const answer = ask(db, attemptId, options);
  asking.set(attemptId, answer);
  try {
    return await answer;
  } finally {
    if (asking.get(attemptId) === answer) asking.delete(attemptId);
  }
}
