import type { RefundAnswer, RefundProvider, RefundRequest, SeenRefund } from '../../provider.ts';
import { isMissing, isRefusal, type Refund, type StripeApi } from './api.ts';
import { currencyOf } from './books.ts';

// Stripe forgets a key after 24 hours at the earliest: the same key then makes another refund.
const KEY_LIFE_MS = 23 * 3_600_000;

/** Refunds at Stripe, under our refund's id as their key. */
export class StripeRefunds implements RefundProvider {
  private readonly api: StripeApi;

  constructor(api: StripeApi) {
    this.api = api;
  }

  async refund(request: RefundRequest, now: Date): Promise<RefundAnswer> {
    if (now.getTime() >= request.createdAtMs + KEY_LIFE_MS) {
      const found = await this.lookupRefund(request);
      if (found.state !== 'unknown') return found;
    }
    try {
      return answerOf(await this.api.refund(request));
    } catch (error) {
      if (!isRefusalOfRefund(error)) throw error;
      return { state: 'failed', reference: null, failureReason: error.message };
    }
  }

  async lookupRefund({
    reference,
    refundId,
    payment,
  }: RefundRequest): Promise<RefundAnswer | { state: 'unknown' }> {
    if (reference !== null) {
      try {
        return answerOf(await this.api.readRefund(reference));
      } catch (error) {
        if (isMissing(error)) return { state: 'unknown' };
        throw error;
      }
    }
    for await (const refund of this.api.refundsOf(payment.transactionId)) {
      if (refund.metadata?.refund_id === refundId) return answerOf(refund);
    }
    return { state: 'unknown' };
  }
}

/** A wrong or withdrawn key, or the same key with other parameters, says nothing of the refund. */
function isRefusalOfRefund(error: unknown): error is Error {
  if (!isRefusal(error) || error.type === 'StripeIdempotencyError') return false;
  return error.statusCode === 400 || error.statusCode === 402 || error.statusCode === 404;
}

function answerOf({ id, status, failure_reason: reason }: Refund): RefundAnswer {
  const reference = { reference: id };
  switch (status) {
    case 'succeeded':
      return { state: 'succeeded', ...reference, failureReason: null };
    case 'failed':
    case 'canceled':
      return { state: 'failed', ...reference, failureReason: reason ?? status };
    default:
      return { state: 'pending', ...reference, failureReason: null };
  }
}

/** A refund of one of our payments, which all have an intent; null for any other. */
export function seenRefundOf(refund: Refund): SeenRefund | null {
  const { id, payment_intent: intent, amount, metadata, reason } = refund;
  const currency = currencyOf(refund.currency);
  if (typeof intent !== 'string' || !currency) return null;
  return {
    ...answerOf(refund),
    refundId: metadata?.refund_id ?? null,
    reference: id,
    transactionId: intent,
    amountMinor: BigInt(amount),
    currency,
    reason,
  };
}
