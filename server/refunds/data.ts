import type { Queryable } from '../db/pool.ts';
import type { Actor, InvoiceStatus } from '../invoices/types.ts';
import { idBefore } from '../lib/ids.ts';
import type { Currency } from '../lib/money.ts';
import type { Environment, Tenant } from '../merchants/types.ts';
import { refundTraitsOf } from '../payments/providers/registry.ts';
import type { InvoiceRefunds, Refund, RefundStatus } from './types.ts';

/** A row of `REFUND_COLUMNS`. */
export type RefundRow = {
  id: string;
  merchant_id: string;
  environment: Environment;
  invoice_id: string;
  attempt_id: string;
  account_id: string | null;
  refund_transaction_id: string | null;
  amount_minor: string;
  currency: Currency;
  status: RefundStatus;
  reason: string | null;
  failure_reason: string | null;
  reference: string | null;
  created_at: Date;
  updated_at: Date;
};

export const REFUND_COLUMNS = `r.id, r.merchant_id, r.environment, r.invoice_id, r.attempt_id,
  r.account_id, r.refund_transaction_id, r.amount_minor::text, r.currency, r.status, r.reason,
  r.failure_reason, r.reference, r.created_at, r.updated_at`;

/** A row in the form that the rest of the gateway uses. */
export function toRefund(row: RefundRow): Refund {
  return {
    id: row.id,
    merchantId: row.merchant_id,
    environment: row.environment,
    invoiceId: row.invoice_id,
    attemptId: row.attempt_id,
    accountId: row.account_id,
    refundTransactionId: row.refund_transaction_id,
    amountMinor: BigInt(row.amount_minor),
    currency: row.currency,
    status: row.status,
    reason: row.reason,
    failureReason: row.failure_reason,
    reference: row.reference,
    createdAtMs: row.created_at.getTime(),
    updatedAtMs: row.updated_at.getTime(),
  };
}

/** One refund, or null. */
export async function findRefund(db: Queryable, id: string): Promise<Refund | null> {
  const { rows } = await db.query<RefundRow>({
    name: 'refund_by_id',
    text: `SELECT ${REFUND_COLUMNS} FROM refunds r WHERE r.id = $1`,
    values: [id],
  });
  return rows[0] ? toRefund(rows[0]) : null;
}

type MoneyRow = {
  invoice_status: InvoiceStatus;
  paid_minor: string;
  refunded_minor: string;
  invoice_currency: Currency;
  provider: string | null;
  paid_account_id: string | null;
};
type NoRefund = { [Column in keyof RefundRow]: null };

/** The refunds of a merchant's invoice; null when it is not the merchant's. */
export async function listRefunds(
  db: Queryable,
  tenant: Tenant,
  invoiceId: string,
): Promise<InvoiceRefunds | null> {
  const { rows } = await db.query<MoneyRow & (RefundRow | NoRefund)>({
    name: 'refunds_of_invoice',
    text: `SELECT i.status AS invoice_status, i.amount_minor::text AS paid_minor,
             i.refunded_minor::text, i.currency AS invoice_currency, p.provider,
             p.account_id AS paid_account_id, ${REFUND_COLUMNS}
           FROM invoices i LEFT JOIN refunds r ON r.invoice_id = i.id
           LEFT JOIN payment_attempts p ON p.id = i.capture_attempt_id AND i.status = 'PAID'
           WHERE i.id = $1 AND i.merchant_id = $2 AND i.environment = $3::environment
           ORDER BY r.created_at`,
    values: [invoiceId, tenant.merchantId, tenant.environment],
  });
  const [first] = rows;
  if (!first) return null;
  const refundedMinor = BigInt(first.refunded_minor);
  const isPaid = first.invoice_status === 'PAID';
  const { provider, paid_account_id: accountId } = first;
  const traits = provider === null ? null : refundTraitsOf({ provider, accountId });
  return {
    currency: first.invoice_currency,
    refunds: rows.flatMap((row) => (row.id === null ? [] : [toRefund(row)])),
    refundedMinor,
    refundableMinor: isPaid ? BigInt(first.paid_minor) - refundedMinor : 0n,
    acquirer: traits && { title: traits.title, refunds: traits.refunds },
  };
}

/** The scope of an invoice, whoever's it is: for the operator only. */
export async function findInvoicePlace(
  db: Queryable,
  invoiceId: string,
): Promise<{ merchantId: string; environment: Environment } | null> {
  const { rows } = await db.query<{ merchantId: string; environment: Environment }>(
    'SELECT merchant_id AS "merchantId", environment FROM invoices WHERE id = $1',
    [invoiceId],
  );
  return rows[0] ?? null;
}

/** A refund by the merchant's id of it, or null. */
export async function findRefundByTransactionId(
  db: Queryable,
  { merchantId, environment }: Tenant,
  refundTransactionId: string,
): Promise<Refund | null> {
  const { rows } = await db.query<RefundRow>({
    name: 'refund_of_transaction_id',
    text: `SELECT ${REFUND_COLUMNS} FROM refunds r
           WHERE r.merchant_id = $1 AND r.environment = $2::environment
             AND r.refund_transaction_id = $3`,
    values: [merchantId, environment, refundTransactionId],
  });
  return rows[0] ? toRefund(rows[0]) : null;
}

/** Who asked for a refund. */
export type RefundAuthor = {
  type: Actor['type'];
  /** A person's e-mail address; null for a server, or the operator's command. */
  email: string | null;
  requestId: string | null;
};

/** Who asked for the refunds of an invoice, by refund id; one that began at an acquirer has nobody. */
export async function listRefundAuthors(
  db: Queryable,
  invoiceId: string,
): Promise<Record<string, RefundAuthor>> {
  const { rows } = await db.query<RefundAuthor & { id: string }>({
    name: 'authors_of_refunds',
    text: `SELECT r.id, r.actor_type AS type, u.email, r.request_id AS "requestId"
           FROM refunds r LEFT JOIN users u ON u.id = r.actor_id
           WHERE r.invoice_id = $1 AND r.actor_type IS NOT NULL`,
    values: [invoiceId],
  });
  return Object.fromEntries(rows.map(({ id, ...author }) => [id, author]));
}

/** The refunds of an invoice that have not failed, the oldest first: for its buyer. */
export async function listRefundsForBuyer(db: Queryable, invoiceId: string): Promise<Refund[]> {
  const { rows } = await db.query<RefundRow>({
    name: 'refunds_for_buyer',
    text: `SELECT ${REFUND_COLUMNS} FROM refunds r
           WHERE r.invoice_id = $1 AND r.status <> 'FAILED' ORDER BY r.created_at`,
    values: [invoiceId],
  });
  return rows.map(toRefund);
}

/**
 * What was refunded of the tenant's invoices, by currency and by the spans in which the invoices were
 * created: PENDING and SUCCEEDED, as everywhere.
 *
 * @param edgesMs the starts of the spans, ascending, and the end of the last
 */
export async function sumRefunds(
  db: Queryable,
  { merchantId, environment }: Tenant,
  edgesMs: readonly number[],
): Promise<Map<Currency, bigint>[]> {
  const edges = edgesMs.map((edgeMs) => idBefore('inv', edgeMs));
  const { rows } = await db.query<{ n: number; currency: Currency; sum: string }>({
    name: 'sum_refunds',
    text: `SELECT width_bucket(invoice_id, $3::text[]) AS n, currency, sum(amount_minor)::text AS sum
           FROM refunds
           WHERE merchant_id = $1 AND environment = $2::environment AND status <> 'FAILED'
             AND invoice_id >= $4 AND invoice_id < $5
           GROUP BY 1, 2`,
    values: [merchantId, environment, edges, edges[0], edges.at(-1)],
  });
  const sums = edges.slice(1).map(() => new Map<Currency, bigint>());
  for (const { n, currency, sum } of rows) sums[n - 1]?.set(currency, BigInt(sum));
  return sums;
}
