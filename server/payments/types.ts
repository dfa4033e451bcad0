import type { Currency } from '../lib/money.ts';

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

export type CardBrand = 'visa' | 'mastercard' | 'unknown';

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
  authorisationId: string | null;
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
