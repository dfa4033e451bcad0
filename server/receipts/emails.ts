import type { Pool } from 'pg';
import { inTransaction, type Queryable } from '../db/pool.ts';
import { buyerEmailOf } from '../lib/buyer-email.ts';
import { GatewayError } from '../lib/errors.ts';
import { newId } from '../lib/ids.ts';
import type { Locale } from '../lib/locales.ts';
import { type AuditActor, recordAudit } from '../merchants/audit.ts';
import type { Tenant } from '../merchants/types.ts';

/** An e-mail to a buyer, as staff see it; `reason` is the mail server's answer to the last attempt. */
export type ReceiptEmail = {
  id: string;
  kind: 'paid' | 'refund' | 'resend';
  state: 'waiting' | 'sent' | 'refused' | 'failed';
  address: string;
  reason: string | null;
  createdAtMs: number;
  /** When it was sent or given up; null while it waits. */
  endedAtMs: number | null;
};

type Row = Omit<ReceiptEmail, 'createdAtMs' | 'endedAtMs'> & {
  created_at: Date;
  ended_at: Date | null;
};

const MAX_SHOWN = 100;

/** The newest e-mails about an invoice, the oldest of them first. */
export async function listReceiptEmails(db: Queryable, invoiceId: string): Promise<ReceiptEmail[]> {
  const { rows } = await db.query<Row>({
    name: 'receipt_emails_of_invoice',
    text: `SELECT id, kind, state, address, reason, created_at, ended_at FROM receipt_emails
           WHERE invoice_id = $1 ORDER BY created_at DESC LIMIT ${MAX_SHOWN}`,
    values: [invoiceId],
  });
  return rows
    .map(({ created_at, ended_at, ...row }) => ({
      ...row,
      createdAtMs: created_at.getTime(),
      endedAtMs: ended_at?.getTime() ?? null,
    }))
    .reverse();
}

/**
 * Sends the payment confirmation of an invoice again, to the same or a corrected address, which gets
 * what follows as well.
 *
 * @param request.locale the language where the buyer has chosen none
 * @throws GatewayError `buyer_email_invalid`; `invoice_not_found` unless the tenant has it, PAID
 */
export async function resendReceipt(
  pool: Pool,
  tenant: Tenant,
  request: { invoiceId: string; typed: string; actor: AuditActor; now: Date },
): Promise<void> {
  const { invoiceId, typed, actor, now } = request;
  const address = buyerEmailOf(typed);
  if (address === null) throw new GatewayError('buyer_email_invalid');
  await inTransaction(pool, async (db) => {
    const { rows } = await db.query<{ locale: Locale }>(
      `INSERT INTO buyer_contacts (invoice_id, address, locale)
       SELECT i.id, $4, m.default_locale FROM invoices i JOIN merchants m ON m.id = i.merchant_id
       WHERE i.id = $1 AND i.merchant_id = $2 AND i.environment = $3::environment AND i.status = 'PAID'
       ON CONFLICT (invoice_id) DO UPDATE SET address = excluded.address
       RETURNING locale`,
      [invoiceId, tenant.merchantId, tenant.environment, address],
    );
    const [contact] = rows;
    if (!contact) throw new GatewayError('invoice_not_found');
    const at = now.toISOString();
    await db.query(
      `INSERT INTO receipt_emails (id, invoice_id, kind, address, locale, next_attempt_at, created_at)
       VALUES ($1, $2, 'resend', $3, $4, $5, $5)`,
      [newId('eml', now.getTime()), invoiceId, address, contact.locale, at],
    );
    const target = { type: 'invoice', id: invoiceId };
    const details = { email: address };
    await recordAudit(db, { actor, now, action: 'receipt.resend', ...tenant, target, details });
  });
}
