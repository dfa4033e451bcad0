import { notificationId } from '../../callbacks/enqueue.ts';
import type { Queryable } from '../../db/pool.ts';
import type { Tenant } from '../../merchants/types.ts';
import { metrics } from '../../observability/metrics.ts';
import { epochMs, RETURNED_COLUMNS } from '../columns.ts';
import { isDue } from '../data.ts';
import type { InvoiceRow } from '../rows.ts';
import { nameOf } from '../status-rows.ts';
import { transitionMany } from '../transition.ts';
import type { InvoiceDetails, InvoiceRecord, InvoiceReference } from '../types.ts';

/** The time and the request of a read, which may have to expire what it finds. */
export type ReadContext = { now: Date; requestId: string | null };

/** A row of `RECORD_COLUMNS`. */
export type RecordRow = InvoiceRow & { refunded_minor: string };

/** The columns of a record, from `invoices i`. */
export const RECORD_COLUMNS = `${RETURNED_COLUMNS}, i.refunded_minor::text`;

/** A row in the form that the rest of the gateway uses. */
export function toRecord(row: RecordRow): InvoiceRecord {
  return {
    id: row.id,
    merchantTransactionId: row.merchant_transaction_id,
    status: row.status,
    amountMinor: BigInt(row.amount_minor),
    currency: row.currency,
    description: row.description,
    positionsText: row.positions,
    merchantData: row.merchant_data,
    successUrl: row.success_url,
    errorUrl: row.error_url,
    callbackUrl: row.callback_url,
    endDateMs: row.end_date_ms,
    createdAtMs: row.created_at_ms,
    statusChangedAtMs: row.status_changed_at_ms,
    extraData: row.extra_data,
    refundedMinor: BigInt(row.refunded_minor),
  };
}

/**
 * Expires those of the rows whose time is over, as a read of the status does, all in one statement.
 *
 * @returns the ids of the rows that have changed since they were read, by this or by another
 */
export async function expireRead(
  db: Queryable,
  tenant: Tenant,
  rows: readonly RecordRow[],
  { now, requestId }: ReadContext,
): Promise<ReadonlySet<string>> {
  const due = rows.filter((row) => isDue(row, now) && row.capture_attempt_id === null);
  if (due.length === 0) return new Set();
  const actor = { type: 'clock', requestId } as const;
  const changes = due.map(({ id }) => ({ invoiceId: id, tenant, actor, now }));
  const changed = await transitionMany(db, 'expire', changes);
  metrics().expired.inc(changed.filter((row) => row !== null).length);
  return new Set(due.map(({ id }) => id));
}

type DetailsRow = RecordRow & {
  callback_state: NonNullable<InvoiceDetails['callback']>['state'] | null;
  callback_attempts: number;
  next_attempt_at_ms: number | null;
};

const detailsBy = (column: 'id' | 'merchant_transaction_id'): string => `
  SELECT ${RECORD_COLUMNS}, c.state AS callback_state, c.attempt_count AS callback_attempts,
    CASE WHEN c.state = 'pending' THEN ${epochMs('c.next_attempt_at')} END AS next_attempt_at_ms
  FROM invoices i LEFT JOIN callbacks c ON c.id = ${notificationId('i.id')}
  WHERE i.merchant_id = $1::text AND i.environment = $2::environment AND i.${column} = $3::text`;

const DETAILS = {
  id: detailsBy('id'),
  merchant_transaction_id: detailsBy('merchant_transaction_id'),
};

/**
 * All that there is of an invoice of the tenant, or null. One round trip, unless its time is over
 * and it has to be expired.
 */
export async function readInvoiceDetails(
  db: Queryable,
  tenant: Tenant,
  reference: InvoiceReference,
  context: ReadContext,
): Promise<InvoiceDetails | null> {
  const by = 'invoiceId' in reference ? 'id' : 'merchant_transaction_id';
  const query = {
    name: `invoice_details_by_${by}`,
    text: DETAILS[by],
    values: [tenant.merchantId, tenant.environment, nameOf(reference)],
  };
  let { rows } = await db.query<DetailsRow>(query);
  const changed = await expireRead(db, tenant, rows, context);
  if (changed.size > 0) ({ rows } = await db.query<DetailsRow>(query));
  const [row] = rows;
  if (!row) return null;
  const callback = row.callback_state && {
    state: row.callback_state,
    attempts: row.callback_attempts,
    nextAttemptAtMs: row.next_attempt_at_ms,
  };
  return { ...toRecord(row), callback };
}
