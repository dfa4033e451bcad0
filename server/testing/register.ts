import type { Queryable } from '../db/pool.ts';
import { newId } from '../lib/ids.ts';
import type { Currency } from '../lib/money.ts';
import type { Tenant } from '../merchants/types.ts';

/** A payment as it stands at its end; times in milliseconds. */
export type WrittenPayment = {
  atMs: number;
  currency: Currency;
  amountMinor: number;
  feeMinor: number | null;
  /** `returnedAtMs` where it failed after it had succeeded. */
  refunds: { amountMinor: number; succeededAtMs: number; returnedAtMs: number | null }[];
};

/** Writes payments with their refunds as they are; returns the invoices' ids. */
export async function writePayments(
  db: Queryable,
  { merchantId, environment }: Tenant,
  payments: readonly WrittenPayment[],
): Promise<string[]> {
  const ids: string[] = [];
  for (const { atMs, currency, amountMinor, feeMinor, refunds } of payments) {
    const id = newId('inv', atMs);
    const at = new Date(atMs).toISOString();
    ids.push(id);
    await db.query(
      `INSERT INTO invoices (id, merchant_id, environment, merchant_transaction_id, amount_minor,
         currency, description, positions, success_url, error_url, callback_url, status,
         capture_attempt_id, end_date, created_at, status_changed_at)
       VALUES ($1, $2, $3, 'order ' || $1, $4, $5, 'Two tickets', '[]', 'x', 'x', 'x', 'PAID',
         'pay_' || $1, $6, $6, $6)`,
      [id, merchantId, environment, amountMinor, currency, at],
    );
    await db.query(
      `INSERT INTO payment_attempts (id, invoice_id, status, provider, authorisation_id,
         amount_minor, currency, card_brand, card_last4, fee_minor, created_at, updated_at)
       VALUES ('pay_' || $1, $1, 'captured', 'sandbox', 'sbx_' || $1, $2, $3, 'visa', '4242', $4,
         $5, $5)`,
      [id, amountMinor, currency, feeMinor, at],
    );
    for (const [number, refund] of refunds.entries()) {
      const refundId = newId('ref', refund.succeededAtMs);
      await db.query(
        `INSERT INTO refunds (id, merchant_id, environment, invoice_id, attempt_id, amount_minor,
           currency, status, created_at, updated_at)
         VALUES ($1, $2, $3, $4, 'pay_' || $4, $5, $6, 'PENDING', $7::timestamptz, $7)`,
        [
          refundId,
          merchantId,
          environment,
          id,
          refund.amountMinor,
          currency,
          new Date(atMs + number),
        ],
      );
      const ends = [
        ['SUCCEEDED', refund.succeededAtMs],
        ['FAILED', refund.returnedAtMs],
      ] as const;
      for (const [status, endMs] of ends) {
        if (endMs === null) continue;
        await db.query('UPDATE refunds SET status = $2, updated_at = $3 WHERE id = $1', [
          refundId,
          status,
          new Date(endMs),
        ]);
      }
    }
  }
  return ids;
}
