import type { Queryable } from '../db/pool.ts';
import type { Tenant } from '../merchants/types.ts';
import { epochMs, RETURNED_COLUMNS } from './columns.ts';
import { readStatus } from './data.ts';
import { type InvoiceRow, toInvoice } from './rows.ts';
import type { Actor, Invoice, InvoiceStatus } from './types.ts';

/** The only change of an invoice's status. */
export type StatusChange = {
  atMs: number;
  status: InvoiceStatus;
  actorType: Actor['type'];
  actorId: string | null;
  requestId: string | null;
};

export type InvoiceDetail = {
  invoice: Invoice;
  /** The X-Request-Id of the create. */
  requestId: string | null;
  change: StatusChange | null;
};

type Row = InvoiceRow & {
  request_id: string | null;
  change_at_ms: number | null;
  to_status: InvoiceStatus;
  actor_type: Actor['type'];
  actor_id: string | null;
  change_request_id: string | null;
};

/** An invoice of the tenant with its history, or null. Expiry is carried out as in `readStatus`. */
export async function readInvoiceDetail(
  db: Queryable,
  tenant: Tenant,
  invoiceId: string,
  { now }: { now: Date },
): Promise<InvoiceDetail | null> {
  if (!(await readStatus(db, tenant, { invoiceId }, { now }))) return null;
  const { rows } = await db.query<Row>({
    name: 'invoice_detail',
    text: `SELECT ${RETURNED_COLUMNS}, i.request_id, ${epochMs('e.at')} AS change_at_ms,
             e.to_status, e.actor_type, e.actor_id, e.request_id AS change_request_id
           FROM invoices i LEFT JOIN invoice_events e ON e.invoice_id = i.id
           WHERE i.merchant_id = $1::text AND i.environment = $2::environment AND i.id = $3::text`,
    values: [tenant.merchantId, tenant.environment, invoiceId],
  });
  const [row] = rows;
  if (!row) return null;
  const change =
    row.change_at_ms === null
      ? null
      : {
          atMs: row.change_at_ms,
          status: row.to_status,
          actorType: row.actor_type,
          actorId: row.actor_id,
          requestId: row.change_request_id,
        };
  return { invoice: toInvoice(row), requestId: row.request_id, change };
}
