import type { Pool } from 'pg';
import { GatewayError } from '../lib/errors.ts';
import type { AuditActor } from '../merchants/audit.ts';
import type { Tenant } from '../merchants/types.ts';
import { findRefundByTransactionId } from './data.ts';
import { requestRefund } from './refund.ts';
import type { Refund } from './types.ts';

/** What somebody asks for by a form. */
export type StaffRefund = {
  invoiceId: string;
  /**
   * The same for each press of one form's button: a second press, or a repetition after a lost
   * answer, leads to the first one's refund.
   */
  formKey: string;
  amountMinor: bigint;
  reason: string | null;
};

/**
 * Refunds a PAID invoice for a member of staff and writes the audit log.
 *
 * @returns the refund, PENDING while the acquirer has not answered
 * @throws GatewayError `conflict` when it cannot be, or when the form's key was used for another
 *   refund; `not_found`
 */
export async function refundByStaff(
  pool: Pool,
  tenant: Tenant,
  { invoiceId, formKey, amountMinor, reason }: StaffRefund,
  { actor, clock }: { actor: AuditActor; clock: () => Date },
): Promise<Refund> {
  const refundTransactionId = `form-${formKey}`;
  const wanted = { invoiceId, refundTransactionId, amountMinor, reason };
  const author = { type: actor.type, id: actor.id };
  const options = { actor: author, audit: actor, key: null, clock };
  const begun = await requestRefund(pool, tenant, wanted, options);
  if ('refund' in begun) return begun.refund;
  if (!('refusal' in begun)) throw new Error('a refund without a key was taken for a repeat');
  if (begun.refusal.code !== 'refund_exists') throw begun.refusal;
  const first = await findRefundByTransactionId(pool, tenant, refundTransactionId);
  const isSame =
    first?.invoiceId === invoiceId && first.amountMinor === amountMinor && first.reason === reason;
  if (!isSame) throw new GatewayError('form_sent_before');
  return first;
}
