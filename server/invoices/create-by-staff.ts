import { createHash } from 'node:crypto';
import type { Pool } from 'pg';
import { inTransaction, type Queryable } from '../db/pool.ts';
import { GatewayError } from '../lib/errors.ts';
import { newId } from '../lib/ids.ts';
import type { Currency } from '../lib/money.ts';
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

/**
 * The currency that a new link begins with: of the person's last one at this merchant, otherwise of
 * the tenant's last invoice; null where there is neither.
 */
export async function lastCurrency(
  db: Queryable,
  tenant: Tenant,
  actorId: string,
): Promise<Currency | null> {
  const { rows } = await db.query<{ currency: Currency }>({
    name: 'last_currency',
    text: `
      (SELECT details->>'currency' AS currency FROM audit_log
       WHERE merchant_id = $1::text AND actor_id = $3::text AND action = 'invoice.create'
       ORDER BY id DESC LIMIT 1)
      UNION ALL
      -- In the order of an index with the merchant, or the primary key might be read: by it, all
      -- that others have made since comes first.
      (SELECT currency::text FROM invoices
       WHERE merchant_id = ANY (ARRAY[$1::text]) AND environment = $2::environment
       ORDER BY merchant_id DESC, id DESC LIMIT 1)
      LIMIT 1`,
    values: [tenant.merchantId, tenant.environment, actorId],
  });
  return rows[0]?.currency ?? null;
}
