import { createHash } from 'node:crypto';
import type { Pool } from 'pg';
import { inTransaction, type Queryable } from '../db/pool.ts';
import { GatewayError } from '../lib/errors.ts';
import { newId } from '../lib/ids.ts';
import { type AuditActor, recordAudit } from '../merchants/audit.ts';
import type { Tenant } from '../merchants/types.ts';
import { createInvoice } from './create.ts';
import type { NewInvoice } from './types.ts';

export type StaffCreateOutcome =
  | { outcome: 'created'; invoiceId: string }
  /** The merchant_transaction_id already exists. */
  | { outcome: 'duplicate' };

/**
 * Creates an invoice for a member of staff, as a merchant's server would, and writes the audit log
 * in the same transaction.
 *
 * @param command.formKey the same for each press of one form's button: a second press, or a
 *   repetition after a lost answer, leads to the first one's invoice, although its end date,
 *   counted from the press, would differ
 * @param command.sent the form's content, word for word, as JSON can write it: it identifies a
 *   repetition
 * @throws GatewayError `conflict` when the form's key was used for another form
 */
export async function createByStaff(
  pool: Pool,
  tenant: Tenant,
  { invoice, formKey, sent }: { invoice: NewInvoice; formKey: string; sent: object },
  { actor, now }: { actor: AuditActor; now: Date },
): Promise<StaffCreateOutcome> {
  const id = newId('inv', now.getTime());
  const hash = createHash('sha256').update(JSON.stringify(sent)).digest();
  const command = {
    id,
    createdAt: now,
    requestId: null,
    invoice,
    idempotency: {
      // The key is kept among the Idempotency-Keys of this merchant's API, which equal it only on
      // purpose; the person's id separates two people's forms.
      key: `dashboard:${actor.id}:${formKey}`,
      requestHash: hash,
      valuesHash: hash,
      responseBody: Buffer.from(id),
    },
  };
  return await inTransaction(pool, async (db) => {
    const result = await createInvoice(db, tenant, command);
    if (result.outcome === 'replayed') {
      return { outcome: 'created', invoiceId: result.responseBody.toString('utf8') };
    }
    if (result.outcome === 'key_reused') {
      throw new GatewayError('form_sent_before');
    }
    if (result.outcome === 'duplicate') return result;
    await recordAudit(db, {
      actor,
      now,
      action: 'invoice.create',
      merchantId: tenant.merchantId,
      environment: tenant.environment,
      target: { type: 'invoice', id },
      details: { amount_minor: invoice.amountMinor, currency: invoice.currency },
    });
    return { outcome: 'created', invoiceId: id };
  });
}

/** The addresses of the tenant's last invoice, which the next one likely shares, or null. */
export async function lastAddresses(
  db: Queryable,
  tenant: Tenant,
): Promise<{ successUrl: string; errorUrl: string; callbackUrl: string } | null> {
  const { rows } = await db.query<{ successUrl: string; errorUrl: string; callbackUrl: string }>({
    name: 'last_addresses',
    text: `SELECT success_url AS "successUrl", error_url AS "errorUrl", callback_url AS "callbackUrl"
           -- In the order of an index with the merchant, or the primary key might be read: by it,
           -- all that others have made since comes first.
           FROM invoices
           WHERE merchant_id = ANY (ARRAY[$1::text]) AND environment = $2::environment
           ORDER BY merchant_id DESC, id DESC LIMIT 1`,
    values: [tenant.merchantId, tenant.environment],
  });
  return rows[0] ?? null;
}
