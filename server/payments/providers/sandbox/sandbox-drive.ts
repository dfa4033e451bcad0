import type { Pool } from 'pg';
import { readStatus } from '../../../invoices/data.ts';
import type { Actor, InvoiceStatus, InvoiceStatusView } from '../../../invoices/types.ts';
import type { Tenant } from '../../../merchants/types.ts';
import { payInvoice } from '../../pay.ts';
import type { DeclineReason, PaymentAttempt } from '../../types.ts';
import { answerSandboxChallenge } from './sandbox-challenge.ts';
import { type SandboxOutcome, testCardFor } from './test-cards.ts';

export type DriveOutcome =
  | { outcome: 'paid'; view: InvoiceStatusView }
  | { outcome: 'declined'; declineReason: DeclineReason; view: InvoiceStatusView }
  /** The acquirer has not answered yet (`slow_approved`); the callback will tell. */
  | { outcome: 'processing'; view: InvoiceStatusView }
  | { outcome: 'not_found' }
  | { outcome: 'final'; status: Exclude<InvoiceStatus, 'PENDING'>; view: InvoiceStatusView }
  | { outcome: 'too_many_attempts' }
  | { outcome: 'payment_in_progress' };

// A merchant's test should not wait 40 s for the slow card.
const WAIT_MS = 5_000;

/**
 * Pays a sandbox invoice as a buyer with the outcome's test card would, for the
 * test endpoint: the same code, callbacks included.
 */
export async function payInSandbox(
  db: Pool,
  tenant: Tenant,
  invoiceId: string,
  options: {
    outcome: SandboxOutcome;
    clock: () => Date;
    actor: Actor;
    onLateError: (error: unknown) => void;
  },
): Promise<DriveOutcome> {
  if (tenant.environment !== 'sandbox') throw new Error('only sandbox invoices pay on demand');
  const { outcome, clock, actor, onLateError } = options;
  const { requestId } = actor;
  const view = () => readStatus(db, tenant, { invoiceId }, { now: clock(), requestId });
  if (!(await view())) return { outcome: 'not_found' };

  const card = {
    number: testCardFor(outcome).number,
    expiryMonth: 12,
    expiryYear: clock().getUTCFullYear() + 1,
    securityCode: '123',
    holderName: 'Test Buyer',
  };
  const paid = await payInvoice(db, invoiceId, card, {
    clock,
    actor,
    waitMs: WAIT_MS,
    onLateError,
  });
  const after = await view();
  if (paid.outcome === 'not_found' || !after) return { outcome: 'not_found' };
  if (paid.outcome === 'final') return { outcome: 'final', status: paid.status, view: after };
  if (paid.outcome === 'too_many_attempts') return { outcome: 'too_many_attempts' };
  if (paid.outcome !== 'attempted') return { outcome: 'payment_in_progress' };

  let attempt: PaymentAttempt | null = paid.attempt;
  if (attempt.status === 'challenge') {
    // The card itself decides on any other outcome.
    const challenge = { invoiceId, attemptId: attempt.id, answer: 'approve' } as const;
    attempt = await answerSandboxChallenge(db, challenge, { clock, actor });
  }
  const final = (await view()) ?? after;
  if (attempt?.status === 'captured') return { outcome: 'paid', view: final };
  if (final.status !== 'PENDING') return { outcome: 'final', status: final.status, view: final };
  // Another attempt superseded the challenge during the answer, which has no effect.
  const isOver = attempt?.status === 'voiding' || attempt?.status === 'voided';
  const declineReason = attempt?.declineReason ?? (isOver ? 'challenge_abandoned' : null);
  if (declineReason) return { outcome: 'declined', declineReason, view: final };
  return { outcome: 'processing', view: final };
}
