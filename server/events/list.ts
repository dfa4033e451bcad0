import type pg from 'pg';
import { queryByIndexes } from '../db/index-plans.ts';
import type { InvoiceStatus } from '../invoices/types.ts';
import type { Currency } from '../lib/money.ts';
import type { Tenant } from '../merchants/types.ts';
import {
  type EventPlace,
  type EventType,
  INVOICE_STATUS_AFTER,
  type LoggedEvent,
  REFUND_STATUS_AFTER,
} from './types.ts';

// Each event has the position of the transaction that wrote it (`event_position()`: the
// transaction's id, and an offset that is raised after a restore). Ids are given in the order in
// which transactions first write, not in that of their commits, so that a row can appear before rows
// that are there already.
//
// A page therefore ends before the oldest transaction that is still under way: `pg_snapshot_xmin` of
// its own snapshot. Whatever has a smaller id has ended: its rows are in the snapshot, or never will
// be anywhere. Whatever begins to write later gets a greater id than any that was given before. So
// nothing can appear before what one page shows, and the next page begins after it. A writer that
// dies has ended as well, by its rollback.
//
// The price is that a transaction that writes for long, in any database of the server, holds back
// what came after it until it ends; nothing is lost by that.
const LIST = `
  WITH ended AS MATERIALIZED (
    SELECT pg_snapshot_xmin(pg_current_snapshot())::text::bigint + event_offset() AS before
  ), found AS (
    (SELECT i.created_position AS position, 0::bigint AS number, i.id AS created_id,
       'invoice.created' AS type, i.created_at AS at, i.id AS invoice_id, NULL::text AS refund_id
     FROM invoices i
     WHERE i.merchant_id = $1::text AND i.environment = $2::environment
       AND i.created_position >= $3::bigint AND i.created_position < (SELECT before FROM ended)
       AND (i.created_position > $3::bigint OR i.id > $5::text)
     ORDER BY i.created_position, i.id LIMIT $6::int)
    UNION ALL
    (SELECT e.position, e.number, NULL, e.type, e.at, e.invoice_id, e.refund_id
     FROM events e
     WHERE e.merchant_id = $1::text AND e.environment = $2::environment
       AND e.position >= $3::bigint AND e.position < (SELECT before FROM ended)
       AND (e.position > $3::bigint OR e.number > $4::bigint)
     ORDER BY e.position, e.number LIMIT $6::int)
  ), page AS (
    SELECT * FROM found ORDER BY position, number, created_id LIMIT $6::int
  )
  SELECT page.position::text, page.number::text, page.created_id, page.type,
    (extract(epoch from page.at) * 1000)::float8 AS at_ms, page.invoice_id, page.refund_id,
    i.merchant_transaction_id, i.status, i.amount_minor::text, i.currency, i.extra_data,
    r.refund_transaction_id, r.amount_minor::text AS refund_minor, r.reason, r.failure_reason
  FROM page
  CROSS JOIN LATERAL (SELECT * FROM invoices WHERE id = page.invoice_id LIMIT 1) i
  LEFT JOIN LATERAL (SELECT * FROM refunds WHERE id = page.refund_id LIMIT 1) r ON true
  ORDER BY page.position, page.number, page.created_id`;

type Row = {
  position: string;
  number: string;
  created_id: string | null;
  type: EventType;
  at_ms: number;
  invoice_id: string;
  refund_id: string | null;
  merchant_transaction_id: string;
  status: InvoiceStatus;
  amount_minor: string;
  currency: Currency;
  extra_data: string | null;
  refund_transaction_id: string | null;
  refund_minor: string | null;
  reason: string | null;
  failure_reason: string | null;
};

function refundOf(row: Row): LoggedEvent['refund'] {
  const status = REFUND_STATUS_AFTER[row.type];
  if (row.refund_id === null || row.refund_minor === null || status === undefined) return null;
  return {
    id: row.refund_id,
    refundTransactionId: row.refund_transaction_id,
    amountMinor: BigInt(row.refund_minor),
    status,
    reason: row.reason,
    failureReason: status === 'FAILED' ? row.failure_reason : null,
  };
}

/** An invoice and a refund are shown as the event left them, however they are now. */
function toEvent(row: Row): LoggedEvent {
  const status = INVOICE_STATUS_AFTER[row.type] ?? row.status;
  return {
    type: row.type,
    atMs: row.at_ms,
    place: {
      position: BigInt(row.position),
      number: BigInt(row.number),
      invoiceId: row.created_id,
    },
    invoice: {
      id: row.invoice_id,
      merchantTransactionId: row.merchant_transaction_id,
      status,
      amountMinor: BigInt(row.amount_minor),
      currency: row.currency,
      extraData: status === 'PAID' ? row.extra_data : null,
    },
    refund: refundOf(row),
  };
}

/** The statement of a page. */
export function eventQuery(
  { merchantId, environment }: Tenant,
  { after, limit }: { after: EventPlace; limit: number },
): pg.QueryConfig {
  const { position, number, invoiceId } = after;
  const values = [merchantId, environment, String(position), String(number), invoiceId, limit];
  return { name: 'event_list', text: LIST, values };
}

/**
 * What happened to the tenant's invoices after a place, in an order in which nothing is ever
 * inserted before what was read already.
 */
export async function listEvents(
  pool: pg.Pool,
  tenant: Tenant,
  asked: { after: EventPlace; limit: number },
): Promise<LoggedEvent[]> {
  const rows = await queryByIndexes<Row>(pool, eventQuery(tenant, asked));
  return rows.map(toEvent);
}
