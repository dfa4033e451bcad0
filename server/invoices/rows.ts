import type { Currency } from '../lib/money.ts';
import type { Environment } from '../merchants/types.ts';
import type { Invoice, InvoiceStatus, InvoiceStatusView, Position } from './types.ts';

/** An invoice as the hand-written statements return it. */
export type InvoiceRow = {
  id: string;
  merchant_id: string;
  environment: Environment;
  merchant_transaction_id: string;
  status: InvoiceStatus;
  amount_minor: string;
  currency: Currency;
  description: string;
  positions: string;
  merchant_data: string | null;
  success_url: string | null;
  error_url: string | null;
  callback_url: string | null;
  end_date_ms: number;
  created_at_ms: number;
  status_changed_at_ms: number;
  capture_attempt_id: string | null;
  extra_data: string | null;
};

/**
 * `end_date` of `invoices i` in a guard's comparison, where rows are found by their key.
 *
 * It is an expression, so that the index of due invoices cannot serve it. With statistics from
 * before a sale ended, PostgreSQL expects one due row, prefers that index to the key, and reads all
 * ten thousand for each of them.
 */
export const GUARDED_END_DATE = `(i.end_date + interval '0')`;

/** The contract's status view of a row. */
export function toStatusView(row: {
  id: string;
  status: InvoiceStatus;
  end_date_ms: number;
}): InvoiceStatusView {
  return { invoiceId: row.id, status: row.status, endDateMs: row.end_date_ms };
}

type StoredPosition = { title: string; amount: number; currency: Currency };

/** Positions as JSON text, as stored and as the callback carries it. */
export function positionsToJson(positions: readonly Position[]): string {
  return JSON.stringify(
    positions.map(
      ({ title, amountMinor, currency }): StoredPosition => ({
        title,
        amount: amountMinor,
        currency,
      }),
    ),
  );
}

/** An InvoiceRow in the form that the rest of the gateway uses. */
export function toInvoice(row: InvoiceRow): Invoice {
  const positions = JSON.parse(row.positions) as StoredPosition[];
  return {
    id: row.id,
    merchantId: row.merchant_id,
    environment: row.environment,
    merchantTransactionId: row.merchant_transaction_id,
    status: row.status,
    amountMinor: BigInt(row.amount_minor),
    currency: row.currency,
    description: row.description,
    positions: positions.map(({ title, amount, currency }) => ({
      title,
      amountMinor: amount,
      currency,
    })),
    merchantData: row.merchant_data,
    successUrl: row.success_url,
    errorUrl: row.error_url,
    callbackUrl: row.callback_url,
    endDateMs: row.end_date_ms,
    createdAtMs: row.created_at_ms,
    statusChangedAtMs: row.status_changed_at_ms,
    captureAttemptId: row.capture_attempt_id,
    extraData: row.extra_data,
  };
}
