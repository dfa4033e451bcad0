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
 * Goes on with a payment by its acquirer's present answer. An acquirer's webhook (once its
 * signature is checked) needs nothing else: its news is not believed, and only means that it is
 * time to ask.
 *
 * Calls are safe in any order, twice, and at once with each other and with recovery: every step is
 * a guarded update, and a second caller finds nothing left to do.
 *
 * @returns the attempt afterwards, or null when there is none
 * @throws when the acquirer cannot be asked, or this process's clock is wrong; recovery asks it
 *   again within seconds
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
    // It may still be on its way to the acquirer: only recovery gives it up, after a lease.
    const answer = await context.provider.lookup(attempt, clock());
    return answer.state === 'unknown' ? attempt : advance(context, attempt.id, answer);
  }
  // Recovery does not wait long if this process dies from here on, or the acquirer is away.
  if (attempt.status === 'challenge') await setRecheck(db, attempt, 'lease', clock());
  return resumeAttempt(context, attempt);
}

/** The answer that a return in this process waits for, by attempt. */
const asking = processWide('returns', () => new Map<string, Promise<PaymentAttempt | null>>());

async function ask(
  db: Pool,
  attemptId: string,
  options: { clock: () => Date; actor: Actor },
): Promise<PaymentAttempt | null> {
  const after = await resumePayment(db, attemptId, options);
  // A return that came meanwhile asked nothing: its news does not wait for the next minute.
  if (after?.status === 'challenge') await setRecheck(db, after, 'lease', options.clock());
  return after;
}

/**
 * Resumes when the buyer comes back from 3-D Secure, which anybody can repeat at will: only an open
 * challenge makes that news, and only the first of the returns of a moment asks. Another one, such
 * as a second click, waits for the answer if this process is asking. In any other state the first
 * caller asks the acquirer when it is time, and otherwise the answer is the attempt's known state.
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
