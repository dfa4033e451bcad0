import type { Currency } from '../lib/money.ts';
import type { StartRequest } from './start-request.ts';

/** A card as the buyer typed it. It lives in memory only: never stored, never logged. */
export type Card = {
  /** Digits only. */
  number: string;
  expiryMonth: number;
  /** Four digits. */
  expiryYear: number;
  securityCode: string;
  holderName: string;
};

export const CARD_BRANDS = [
  'visa',
  'mastercard',
  'uzcard',
  'humo',
  'mir',
  'unionpay',
  'amex',
  'unknown',
] as const;
export type CardBrand = (typeof CARD_BRANDS)[number];

/** The acquirer's reason for a refusal; the payment page has words for each. */
export const DECLINE_REASONS = [
  'generic_decline',
  'insufficient_funds',
  'lost_card',
  'expired_card',
  'incorrect_cvc',
  'processing_error',
  'authentication_failed',
  'challenge_abandoned',
  'test_card_required',
] as const;
export type DeclineReason = (typeof DECLINE_REASONS)[number];

export const ATTEMPT_STATUSES = [
  'authorising',
  'challenge',
  'capturing',
  'captured',
  'voiding',
  'voided',
  'declined',
  'abandoned',
  'failed',
] as const;
export type AttemptStatus = (typeof ATTEMPT_STATUSES)[number];

/** One try to pay an invoice. */
export type PaymentAttempt = {
  id: string;
  invoiceId: string;
  status: AttemptStatus;
  provider: string;
  /** The merchant's account at the acquirer; null for the sandbox's own card form. */
  accountId: string | null;
  /** The acquirer's reference of the payment. */
  authorisationId: string | null;
  /**
   * What was asked of the acquirer when the attempt began; null for a card of our own form and for
   * an acquirer that calls us.
   */
  startRequest: StartRequest | null;
  /** The payment's id in the merchant's books at the acquirer; null before the capture. */
  transactionId: string | null;
  /** The acquirer's receipt; null where it gives none. */
  acquirerReceiptUrl: string | null;
  /** The acquirer's fee, in minor units; null where it is not known. */
  feeMinor: bigint | null;
  amountMinor: bigint;
  currency: Currency;
  /** Null where the buyer paid elsewhere and the acquirer has named no card. */
  cardBrand: CardBrand | null;
  cardLast4: string | null;
  declineReason: DeclineReason | null;
  /** The address of the challenge: https or a page of ours; null without one. */
  challengeUrl: string | null;
  createdAtMs: number;
  updatedAtMs: number;
};
