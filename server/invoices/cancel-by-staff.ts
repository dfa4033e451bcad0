import type { Pool } from 'pg';
import { inTransaction } from '../db/pool.ts';
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
