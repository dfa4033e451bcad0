import type { Queryable } from '../../db/pool.ts';
import type { Currency } from '../../lib/money.ts';
import type { SeenDispute } from '../provider.ts';

/** A buyer's dispute of a payment at their bank. */
export type Dispute = Omit<SeenDispute, 'transactionId' | 'isClosed'> & {
  invoiceId: string;
  accountId: string;
  /** When we heard of it, and when we last heard something new. */
  createdAtMs: number;
  updatedAtMs: number;
  closedAtMs: number | null;
};

type Row = {
  id: string;
  account_id: string;
  invoice_id: string;
  amount_minor: string;
  currency: Currency;
  reason: string;
  status: string;
  created_at: Date;
  updated_at: Date;
  closed_at: Date | null;
};

const COLUMNS = `d.id, d.account_id, d.invoice_id, d.amount_minor::text, d.currency, d.reason,
  d.status, d.created_at, d.updated_at, d.closed_at`;

function toDispute(row: Row): Dispute {
  return {
    id: row.id,
    accountId: row.account_id,
    invoiceId: row.invoice_id,
    amountMinor: BigInt(row.amount_minor),
    currency: row.currency,
    reason: row.reason,
    status: row.status,
    createdAtMs: row.created_at.getTime(),
    updatedAtMs: row.updated_at.getTime(),
    closedAtMs: row.closed_at?.getTime() ?? null,
  };
}

/**
 * Keeps how a dispute stands. One of a payment that is not the account's here is the merchant's own
 * matter: nothing is kept of it.
 */
export async function takeDispute(
  db: Queryable,
  accountId: string,
  seen: SeenDispute,
  now: Date,
): Promise<void> {
  const { id, transactionId, amountMinor, currency, reason, status, isClosed } = seen;
  await db.query({
    name: 'take_dispute',
    text: `
      INSERT INTO disputes (account_id, id, attempt_id, invoice_id, amount_minor, currency, reason,
                            status, created_at, updated_at, closed_at)
      SELECT p.account_id, $2, p.id, p.invoice_id, $4, $5::currency, $6, $7, $8, $8,
             CASE WHEN $9 THEN $8::timestamptz END
      FROM payment_attempts p WHERE p.account_id = $1 AND p.transaction_id = $3
      ON CONFLICT (account_id, id) DO UPDATE
      SET amount_minor = excluded.amount_minor, reason = excluded.reason,
          status = excluded.status, updated_at = excluded.updated_at, closed_at = excluded.closed_at
      WHERE disputes.status <> excluded.status`,
    values: [
      accountId,
      id,
      transactionId,
      amountMinor.toString(),
      currency,
      reason,
      status,
      now.toISOString(),
      isClosed,
    ],
  });
}

/** The disputes of an invoice's payments, the oldest first. */
export async function listDisputesOfInvoice(db: Queryable, invoiceId: string): Promise<Dispute[]> {
  const { rows } = await db.query<Row>({
    name: 'disputes_of_invoice',
    text: `SELECT ${COLUMNS} FROM disputes d WHERE d.invoice_id = $1 ORDER BY d.created_at, d.id`,
    values: [invoiceId],
  });
  return rows.map(toDispute);
}

/** Whether a buyer has disputed a payment of the invoice, and no bank has decided yet. */
export async function isDisputed(db: Queryable, invoiceId: string): Promise<boolean> {
  const disputes = await listDisputesOfInvoice(db, invoiceId);
  return disputes.some(({ closedAtMs }) => closedAtMs === null);
}
