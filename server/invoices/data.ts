import type { Queryable } from '../db/pool.ts';
import type { Tenant } from '../merchants/types.ts';
import { epochMs, type InvoiceRow, RETURNED_COLUMNS, toInvoice, toStatusView } from './rows.ts';
import { isPastEnd } from './state.ts';
import { transition } from './transition.ts';
import type { Invoice, InvoiceStatus, InvoiceStatusView } from './types.ts';

export type StatusRow = {
  id: string;
  status: InvoiceStatus;
  end_date_ms: number;
  capturing: boolean;
};

const STATUS = `SELECT i.id, i.status, ${epochMs('i.end_date')} AS end_date_ms,
    i.capture_attempt_id IS NOT NULL AS capturing
  FROM invoices i WHERE i.merchant_id = $1::text AND i.environment = $2::environment`;

export type InvoiceReference = { invoiceId: string } | { merchantTransactionId: string };

/** One row of the tenant's, or null; changes nothing. */
export async function findStatusRow(
  db: Queryable,
  tenant: Tenant,
  reference: InvoiceReference,
): Promise<StatusRow | null> {
  const byId = 'invoiceId' in reference;
  const { rows } = await db.query<StatusRow>({
    name: byId ? 'status_by_id' : 'status_by_transaction',
    text: `${STATUS} AND ${byId ? 'i.id' : 'i.merchant_transaction_id'} = $3::text`,
    values: [
      tenant.merchantId,
      tenant.environment,
      byId ? reference.invoiceId : reference.merchantTransactionId,
    ],
  });
  return rows[0] ?? null;
}

/**
 * The status of an invoice of the tenant's, or null when there is none.
 *
 * One round trip. Only for a PENDING invoice whose end date has passed a second
 * one: the read carries the expiry out, so that no answer depends on whether a
 * scheduled job has come by (decisions, "Status and cancel").
 */
export async function readStatus(
  db: Queryable,
  tenant: Tenant,
  reference: InvoiceReference,
  { now, requestId = null }: { now: Date; requestId?: string | null },
): Promise<InvoiceStatusView | null> {
  const row = await findStatusRow(db, tenant, reference);
  if (!row) return null;
  const due = row.status === 'PENDING' && isPastEnd(row.end_date_ms, now.getTime());
  if (!due || row.capturing) return toStatusView(row);

  const expired = await transition(
    db,
    { invoiceId: row.id, tenant },
    { trigger: 'expire' },
    { actor: { type: 'clock', requestId }, now },
  );
  if (expired) return toStatusView(expired);
  const again = await findStatusRow(db, tenant, { invoiceId: row.id });
  return again && toStatusView(again);
}

const BY_ID = `SELECT ${RETURNED_COLUMNS} FROM invoices i WHERE i.id = $1::text`;

/**
 * An invoice by its id alone: for the payment page, whose address is the
 * permission to see it. Expiry is carried out as in `readStatus`.
 */
export async function readInvoiceForBuyer(
  db: Queryable,
  invoiceId: string,
  { now }: { now: Date },
): Promise<Invoice | null> {
  const find = async () =>
    (await db.query<InvoiceRow>({ name: 'invoice_by_id', text: BY_ID, values: [invoiceId] }))
      .rows[0];
  const row = await find();
  if (!row) return null;
  const due = row.status === 'PENDING' && isPastEnd(row.end_date_ms, now.getTime());
  if (!due || row.capture_attempt_id) return toInvoice(row);

  const expired = await transition(
    db,
    { invoiceId, tenant: null },
    { trigger: 'expire' },
    { actor: { type: 'clock' }, now },
  );
  const current = expired ?? (await find());
  return current ? toInvoice(current) : null;
}
