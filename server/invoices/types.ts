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

/** How much an invoice has at most by the contract: positions, and characters (code points) of its texts. */
export const INVOICE_LIMITS = {
  positions: 500,
  title: 512,
  description: 1_024,
  merchantTransactionId: 255,
  url: 2_048,
} as const;

/** So many of the newest paid invoices an overview takes its median from. */
export const MEDIAN_OF = 5_000;

/** The most that is searched for, UTF-16 units: a transaction id of 255 emoji has as many. */
export const MAX_SEARCH_LENGTH = 510;

/** Who changes a status; stands in the invoice's history. */
export type Actor = {
  type: 'api' | 'buyer' | 'clock' | 'staff' | 'operator' | 'test' | 'recovery';
  /** A token's, user's or attempt's id. */
  id?: string | null;
  /** X-Request-Id of the request that led to it. */
  requestId?: string | null;
};

export type Position = { title: string; amountMinor: number; currency: Currency };

/** What a create needs, validated by the wire. Amounts in minor units, ≤ 2^53 − 1. */
export type NewInvoice = {
  amountMinor: number;
  currency: Currency;
  description: string;
  endDateMs: number;
  positions: Position[];
  merchantTransactionId: string;
  successUrl: string;
  errorUrl: string;
  callbackUrl: string;
  /** The JSON text of the object, character by character as it came in. */
  merchantData: string | null;
};

/** What names an invoice: its own id, or the merchant's for it. */
export type InvoiceReference = { invoiceId: string } | { merchantTransactionId: string };

/** The three fields of the contract's status view. */
export type InvoiceStatusView = {
  invoiceId: string;
  status: InvoiceStatus;
  endDateMs: number;
};

/** An invoice as the payment page and the dashboard read it. */
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
  successUrl: string;
  errorUrl: string;
  callbackUrl: string;
  endDateMs: number;
  createdAtMs: number;
  statusChangedAtMs: number;
  /** Set on a PENDING invoice while a capture is in flight. */
  captureAttemptId: string | null;
  extraData: string | null;
};
