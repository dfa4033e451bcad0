import type { Pool } from 'pg';
import type { Actor } from '../../../invoices/types.ts';
import { demandRightClock } from '../../context.ts';
import { findAttempt } from '../../data.ts';
import { resumePayment } from '../../resume.ts';
import type { PaymentAttempt } from '../../types.ts';
import { SandboxAcquirer } from './sandbox.ts';
import type { ChallengeAnswer } from './test-cards.ts';

/**
 * The buyer's answer on the sandbox's own 3-D Secure page, and the way back from it: the acquirer
 * is told, and then asked as after any challenge. An answer for another acquirer's challenge, and a
 * second one, change nothing.
 *
 * @returns the attempt afterwards, or null when the invoice has no such attempt
 */
export async function answerSandboxChallenge(
  db: Pool,
  challenge: { invoiceId: string; attemptId: string; answer: ChallengeAnswer },
  options: { clock: () => Date; actor: Actor },
): Promise<PaymentAttempt | null> {
  const attempt = await findAttempt(db, challenge.attemptId);
  if (!attempt || attempt.invoiceId !== challenge.invoiceId) return null;
  const { status, provider, authorisationId } = attempt;
  if (status !== 'challenge' || provider !== 'sandbox' || !authorisationId) return attempt;
  await demandRightClock(db);
  await new SandboxAcquirer(db).answerChallenge(authorisationId, challenge.answer, options.clock());
  return resumePayment(db, attempt.id, options);
}
