import type { Pool } from 'pg';
import { inTransaction } from '../db/pool.ts';
import { GatewayError, type PlainErrorCode } from '../lib/errors.ts';
import { type AuditActor, recordAudit } from '../merchants/audit.ts';
import type { Tenant } from '../merchants/types.ts';
import { type CancelOutcome, cancelInvoice } from './cancel.ts';

/**
 * Cancels a PENDING invoice for a member of staff and writes the audit log in the same transaction.
 * An invoice cancelled before stays unchanged and is not logged again.
 */
export async function cancelByStaff(
  pool: Pool,
  tenant: Tenant,
  invoiceId: string,
  { actor, now }: { actor: AuditActor; now: Date },
): Promise<CancelOutcome> {
  return await inTransaction(pool, async (db) => {
    const author = { type: actor.type, id: actor.id };
    const result = await cancelInvoice(db, tenant, invoiceId, { actor: author, now });
    if (result.outcome === 'canceled' && result.isNew) {
      await recordAudit(db, {
        actor,
        now,
        action: 'invoice.cancel',
        merchantId: tenant.merchantId,
        environment: tenant.environment,
        target: { type: 'invoice', id: invoiceId },
      });
    }
    return result;
  });
}

const WHY_FINAL = { PAID: 'invoice_paid', EXPIRED: 'invoice_expired' } as const;

/** Why an invoice was not cancelled; null if it is cancelled now. */
export function whyNotCanceled(result: CancelOutcome): PlainErrorCode | null {
  if (result.outcome === 'canceled') return null;
  if (result.outcome === 'not_found') return 'invoice_not_found';
  return result.outcome === 'final' ? WHY_FINAL[result.status] : 'invoice_being_paid';
}

/**
 * Cancels several invoices for a member of staff as `cancelByStaff` does, each by itself: one that
 * is refused stops none of the others, and a process that dies leaves each cancelled or untouched.
 *
 * @returns what came of each, in the order of the ids; one that was cancelled before is refused
 */
export async function cancelEachByStaff(
  pool: Pool,
  tenant: Tenant,
  invoiceIds: readonly string[],
  by: { actor: AuditActor; now: Date },
): Promise<{ id: string; refusal: PlainErrorCode | null }[]> {
  const results: { id: string; refusal: PlainErrorCode | null }[] = [];
  for (const id of new Set(invoiceIds)) {
    const result = await cancelByStaff(pool, tenant, id, by).catch(refusalOnly);
    if (typeof result === 'string') results.push({ id, refusal: result });
    else if (result.outcome === 'canceled' && !result.isNew) {
      results.push({ id, refusal: 'invoice_canceled' });
    } else results.push({ id, refusal: whyNotCanceled(result) });
  }
  return results;
}

/** A refusal concerns one invoice, any other failure all that follow. */
function refusalOnly(error: unknown): 'invoice_not_cancelled_now' {
  if (error instanceof GatewayError && error.code === 'invoice_not_cancelled_now')
    return error.code;
  throw error;
}
