import type { AcquirerCredentials } from '../../../merchants/acquirer-accounts.ts';
import type { RefundAnswer, RefundProvider, RefundRequest, SeenRefund } from '../../provider.ts';
import { NotSentError } from '../acquirer-client.ts';
import {
  fromAmount,
  KEY_LIFE_MS,
  toAmount,
  type YooKassaApi,
  type YooKassaRefund,
  YooKassaRefusal,
} from './api.ts';
import { described, receiptOf } from './receipt.ts';

const REASON_LENGTH = 250;

/** A refund as it stands; a status that is unknown to us is one that YooKassa still works on. */
function answerOf({ id, status, cancellation_details }: YooKassaRefund): RefundAnswer {
  if (status === 'canceled') {
    const failureReason = cancellation_details?.reason ?? 'canceled';
    return { state: 'failed', reference: id, failureReason };
  }
  const state = status === 'succeeded' ? 'succeeded' : 'pending';
  return { state, reference: id, failureReason: null };
}

/** A refund that YooKassa told of: one of ours, or one that began in its cabinet. */
export function seenOf(refund: YooKassaRefund): SeenRefund {
  return {
    ...answerOf(refund),
    reference: refund.id,
    refundId: refund.metadata?.refund_id ?? null,
    transactionId: refund.payment_id,
    ...fromAmount(refund.amount),
    reason: refund.description ?? null,
  };
}

/** Refunds of any part of a captured payment, each under its own id as the key. */
export class YooKassaRefunds implements RefundProvider {
  private readonly api: YooKassaApi;
  private readonly credentials: AcquirerCredentials;

  constructor(api: YooKassaApi, credentials: AcquirerCredentials) {
    this.api = api;
    this.credentials = credentials;
  }

  async refund(request: RefundRequest, now: Date): Promise<RefundAnswer> {
    // A key that YooKassa may have forgotten makes a second refund: its list says whether there is one.
    const isForgotten = now.getTime() - request.createdAtMs >= KEY_LIFE_MS;
    const made = isForgotten ? await this.find(request) : null;
    if (made) return answerOf(made);
    try {
      return answerOf(await this.api.createRefund(this.bodyOf(request), request.refundId));
    } catch (error) {
      if (!(error instanceof YooKassaRefusal) || error.isOfKey) throw error;
      if (!error.isFinal) throw new NotSentError(error.message, { cause: error });
      return { state: 'failed', reference: null, failureReason: error.description };
    }
  }

  async lookupRefund(request: RefundRequest): Promise<RefundAnswer | { state: 'unknown' }> {
    const { reference } = request;
    const refund = reference ? await this.api.readRefund(reference) : await this.find(request);
    return refund ? answerOf(refund) : { state: 'unknown' };
  }

  private async find({ refundId, payment }: RefundRequest): Promise<YooKassaRefund | null> {
    const { transactionId: payment_id } = payment;
    for await (const each of this.api.listRefunds({ payment_id })) {
      if (each.metadata?.refund_id === refundId) return each;
    }
    return null;
  }

  /** YooKassa takes the receipt of a whole refund from the payment's own (54-FZ, "refunds"). */
  private bodyOf({ refundId, payment, amountMinor, reason }: RefundRequest): object {
    const { currency, startRequest } = payment;
    const isWhole = amountMinor === payment.amountMinor;
    const line = { title: startRequest?.description ?? '', amountMinor };
    const buyer = { buyerEmail: startRequest?.buyerEmail ?? null, currency };
    return {
      payment_id: payment.transactionId,
      amount: toAmount(amountMinor, currency),
      ...(reason === null ? {} : { description: described(reason, REASON_LENGTH) }),
      metadata: { refund_id: refundId },
      ...(isWhole ? {} : receiptOf(this.credentials, buyer, [line])),
    };
  }
}
