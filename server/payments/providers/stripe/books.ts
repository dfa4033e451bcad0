import type Stripe from 'stripe';
import { CURRENCIES, type Currency } from '../../../lib/money.ts';
import type { BookLine, ReadBooks } from '../../provider.ts';
import type { Intent, Refund, StripeApi } from './api.ts';

/** Reads the payments and refunds of a span of time from Stripe's own lists. */
export function readBooks(api: StripeApi, accountId: string): ReadBooks {
  return async function* read({ fromMs, toMs }) {
    const created = { gte: Math.ceil(fromMs / 1000), lt: Math.ceil(toMs / 1000) };
    for await (const intent of api.intentsIn(created)) {
      const line = paymentLine(intent, accountId);
      if (line) yield line;
    }
    for await (const refund of api.refundsIn(created)) {
      const line = refundLine(refund, accountId);
      if (line) yield line;
    }
  };
}

/** A currency of ours; the merchant may take others elsewhere, which are none of our payments. */
export function currencyOf(code: string): Currency | null {
  return CURRENCIES.find((each) => each === code.toUpperCase()) ?? null;
}

const PAYMENT_STATES: Readonly<Record<string, BookLine['state']>> = {
  requires_capture: 'held',
  succeeded: 'succeeded',
  canceled: 'ended',
};

function paymentLine(intent: Intent, accountId: string): BookLine | null {
  const { id, metadata, status, latest_charge: charge } = intent;
  const currency = currencyOf(intent.currency);
  if (!currency) return null;
  const transaction = typeof charge === 'object' ? charge?.balance_transaction : null;
  return {
    kind: 'payment',
    id,
    paymentId: id,
    ourId: metadata.account_id === accountId ? (metadata.attempt_id ?? null) : null,
    amountMinor: BigInt(status === 'succeeded' ? intent.amount_received : intent.amount),
    currency,
    state: PAYMENT_STATES[status] ?? 'open',
    createdAtMs: intent.created * 1000,
    feeMinor: feeOf(transaction, intent.currency),
  };
}

const REFUND_STATES: Readonly<Record<string, BookLine['state']>> = {
  succeeded: 'succeeded',
  failed: 'ended',
  canceled: 'ended',
};

function refundLine(refund: Refund, accountId: string): BookLine | null {
  const { id, amount, metadata, payment_intent: intent, status, created } = refund;
  const currency = currencyOf(refund.currency);
  // Every payment of ours has an intent; a charge without one was made elsewhere.
  const paymentId = typeof intent === 'string' ? intent : intent?.id;
  if (!currency || paymentId === undefined) return null;
  return {
    kind: 'refund',
    id,
    paymentId,
    ourId: metadata?.account_id === accountId ? (metadata.refund_id ?? null) : null,
    amountMinor: BigInt(amount),
    currency,
    state: REFUND_STATES[status ?? ''] ?? 'open',
    createdAtMs: created * 1000,
    feeMinor: null,
  };
}

/** What Stripe keeps for itself, where it says so in the currency of the payment. */
export function feeOf(
  transaction: string | Stripe.BalanceTransaction | null | undefined,
  currency: string,
): bigint | null {
  if (typeof transaction !== 'object' || transaction?.currency !== currency) return null;
  return BigInt(transaction.fee);
}
