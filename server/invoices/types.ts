import type { Currency } from '../lib/money.ts';
import type { Environment } from '../merchants/types.ts';

export const INVOICE_STATUSES = ['PENDING', 'PAID', 'EXPIRED', 'CANCELED'] as const;
export type InvoiceStatus = (typeof INVOICE_STATUSES)[number];

/** The contract's status codes ("States and transitions"). */
export const STATUS_CODES: Record<InvoiceStatus, number> = {
  PENDING: 1,
  PAID: 2,
  EXPIRED: 3,
  CANCELED: 4,
};

/** The contract's limits of an invoice: positions, and characters (code points) of its texts. */
export const INVOICE_LIMITS = {
  positions: 500,
  title: 512,
  description: 1_024,
  merchantTransactionId: 255,
  url: 2_048,
} as const;

/** The longest search, in UTF-16 units: a transaction id of 255 emoji has as many. */
export const MAX_SEARCH_LENGTH = 510;

/** The author of a status change, kept in the invoice's history. */
export type Actor = {
  type: 'api' | 'buyer' | 'clock' | 'staff' | 'operator' | 'test' | 'recovery';
  /** The id of a token, user or attempt. */
  id?: string | null;
  /** The X-Request-Id of the causing request. */
  requestId?: string | null;
};

export type Position = { title: string; amountMinor: number; currency: Currency };

/** The input of a create, validated by the wire. Amounts in minor units, ≤ 2^53 − 1. */
export type NewInvoice = {
  amountMinor: number;
  currency: Currency;
  description: string;
  endDateMs: number;
  positions: Position[];
  merchantTransactionId: string;
  /** The three addresses are null only where a link made by staff has none. */
  successUrl: string | null;
  errorUrl: string | null;
  callbackUrl: string | null;
  /** The object's JSON text, character by character as received. */
  merchantData: string | null;
};

/** An invoice's name: its own id, or the merchant's for it. */
export type InvoiceReference = { invoiceId: string } | { merchantTransactionId: string };

/** The three fields of the contract's status view. */
export type InvoiceStatusView = {
  invoiceId: string;
  status: InvoiceStatus;
  endDateMs: number;
};

/** An invoice for the payment page and the dashboard. */
export type Invoice = {
  id: string;
  merchantId: string;
  environment: Environment;
  merchantTransactionId: string;
  status: InvoiceStatus;
  amountMinor: bigint;
  currency: Currency;
  description: string;
  positions: Position[];
  merchantData: string | null;
  /** The three addresses are null only where a link made by staff has none. */
  successUrl: string | null;
  errorUrl: string | null;
  callbackUrl: string | null;
  endDateMs: number;
  createdAtMs: number;
  statusChangedAtMs: number;
  /** Set on a PENDING invoice while a capture is in flight. */
  captureAttemptId: string | null;
  extraData: string | null;
};

/** An invoice as its merchant's server reads it: all that it gave, and what became of it. */
export type InvoiceRecord = Omit<
  Invoice,
  'merchantId' | 'environment' | 'positions' | 'captureAttemptId'
> & {
  /** The JSON array of the callback, as it is stored. */
  positionsText: string;
  /** The sum of its refunds that have not failed. */
  refundedMinor: bigint;
};

/** A record with the state of its notification; null while, or where, there is none. */
export type InvoiceDetails = InvoiceRecord & {
  callback: {
    state: 'pending' | 'delivered' | 'exhausted';
    attempts: number;
    /** Null unless an attempt is still to come. */
    nextAttemptAtMs: number | null;
  } | null;
};

/** The place of an invoice in a list; `paidAtMs` is null in a list by creation. */
export type ListPlace = { id: string; paidAtMs: number | null };

/** The filters of a merchant's server; null narrows nothing. Times from inclusive, to exclusive. */
export type RecordFilters = {
  status: InvoiceStatus | null;
  currency: Currency | null;
  createdFromMs: number | null;
  createdToMs: number | null;
  paidFromMs: number | null;
  paidToMs: number | null;
};

/** Whether a list is in the order of payment, as the filters by its time have it. */
export function isByPayment({ paidFromMs, paidToMs }: RecordFilters): boolean {
  return paidFromMs !== null || paidToMs !== null;
}
