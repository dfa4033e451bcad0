import type { Currency } from '../lib/money.ts';

/**
 * What moves the money of a day: a payment, a refund, and a refund that failed after it had
 * succeeded, by which the money is with the merchant again.
 */
export const REGISTER_KINDS = ['payment', 'refund', 'refund_returned'] as const;
export type RegisterKind = (typeof REGISTER_KINDS)[number];

/** A movement of money, at one time and so on exactly one day of any zone. */
export type RegisterRow = {
  kind: RegisterKind;
  atMs: number;
  invoiceId: string;
  merchantTransactionId: string;
  description: string;
  /** Null for a payment. */
  refundId: string | null;
  /** The merchant's own id of the refund; null where it has none. */
  refundTransactionId: string | null;
  /** The account at the acquirer as the buyer reads it, or else the acquirer; null without either. */
  account: string | null;
  cardBrand: string | null;
  cardLast4: string | null;
  /** The acquirer's id of the payment, as on the receipt. */
  paymentReference: string | null;
  currency: Currency;
  /** Below zero for a refund. */
  amountMinor: bigint;
  /** What the acquirer keeps of a payment; null where it is not known. */
  feeMinor: bigint | null;
  /** The amount less the fee, as far as that is known. */
  netMinor: bigint;
};

/** The rows of one currency, summed up. */
export type RegisterTotal = {
  currency: Currency;
  payments: number;
  grossMinor: bigint;
  refunds: number;
  /** Less what came back of it. */
  refundedMinor: bigint;
  feeMinor: bigint;
  /** How many payments have no known fee. */
  feesUnknown: number;
  netMinor: bigint;
};

/** A span of time, milliseconds; the end is not in it. */
export type Span = { fromMs: number; untilMs: number };
