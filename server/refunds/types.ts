import type { Actor } from '../invoices/types.ts';
import type { Currency } from '../lib/money.ts';
import type { Environment } from '../merchants/types.ts';

export const REFUND_STATUSES = ['PENDING', 'SUCCEEDED', 'FAILED'] as const;
export type RefundStatus = (typeof REFUND_STATUSES)[number];

/** The status codes of the REST API. */
export const REFUND_STATUS_CODES: Record<RefundStatus, number> = {
  PENDING: 1,
  SUCCEEDED: 2,
  FAILED: 3,
};

/** The longest reason, in characters (code points). */
export const MAX_REASON_LENGTH = 255;

/** Money that goes back to a buyer, whole or in part. */
export type Refund = {
  id: string;
  merchantId: string;
  environment: Environment;
  invoiceId: string;
  /** The attempt that took the money. */
  attemptId: string;
  /** The merchant's account at the acquirer; null for the sandbox's own card form. */
  accountId: string | null;
  /** The merchant's id of it; null for one that began at the acquirer. */
  refundTransactionId: string | null;
  amountMinor: bigint;
  currency: Currency;
  status: RefundStatus;
  reason: string | null;
  failureReason: string | null;
  /** The acquirer's own id of it. */
  reference: string | null;
  createdAtMs: number;
  updatedAtMs: number;
};

/** What a merchant, its staff or the operator ask back. */
export type NewRefund = {
  invoiceId: string;
  refundTransactionId: string;
  /** Null for all that is left. */
  amountMinor: bigint | null;
  reason: string | null;
};

/** Who asked for a refund; null for an acquirer. */
export type RefundActor = Actor | null;

/** An invoice's refunds, the oldest first, and what their sums come to. */
export type InvoiceRefunds = {
  currency: Currency;
  refunds: Refund[];
  /** PENDING and SUCCEEDED. */
  refundedMinor: bigint;
  /** What is left of the captured sum; 0 without one. */
  refundableMinor: bigint;
  /** The acquirer that took the money, and which refunds it takes from us; null without one. */
  acquirer: { title: string; refunds: 'none' | 'outside' | 'full' | 'partial' } | null;
};

/** The sum of the refunds in a status. */
export function refundedMinor(
  refunds: readonly Pick<Refund, 'status' | 'amountMinor'>[],
  status: RefundStatus,
): bigint {
  return refunds.reduce((sum, each) => sum + (each.status === status ? each.amountMinor : 0n), 0n);
}
