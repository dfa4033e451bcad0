import type { Pool } from 'pg';
import type { Actor } from '../invoices/types.ts';
import { advance } from './advance.ts';
import { paymentContext } from './context.ts';
import { findAttempt } from './data.ts';
import { setRecheck, takeDue } from './rechecks.ts';
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
 * @throws when the acquirer cannot be asked; recovery asks it again within seconds
 */
export async function resumePayment(
  db: Pool,
  attemptId: string,
  options: { clock: () => Date; actor: Actor },
): Promise<PaymentAttempt | null> {
  const attempt = await findAttempt(db, attemptId);
  if (!attempt) return null;
  const context = paymentContext(db, { ...options, provider: attempt.provider });
  if (attempt.status === 'authorising') {
    // It may still be on its way to the acquirer: only recovery, after a lease, gives it up as lost.
    const answer = await context.provider.lookup(attempt.id, options.clock());
    return answer.state === 'unknown' ? attempt : advance(context, attempt.id, answer);
  }
  // If this process dies from here on, or the acquirer is away, recovery does not wait for long.
  if (attempt.status === 'challenge') await setRecheck(db, attempt, 'lease', options.clock());
  return resumeAttempt(context, attempt);
}

/**
 * The same when the buyer comes back from 3-D Secure, which anybody can do as often as they like: only
 * of an open challenge is that news. In any other state the acquirer is asked when it is time for it,
 * by whoever comes first, and else the attempt is answered as it is known.
 */
export async function resumeOnReturn(
  db: Pool,
  attemptId: string,
  options: { clock: () => Date; actor: Actor },
): Promise<PaymentAttempt | null> {
  const attempt = await findAttempt(db, attemptId);
  const isNews = attempt?.status === 'challenge';
  if (!isNews && !(await takeDue(db, attemptId, options.clock()))) return attempt;
  return resumePayment(db, attemptId, options);
}
