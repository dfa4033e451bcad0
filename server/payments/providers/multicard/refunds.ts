import type { RefundAnswer, RefundProvider, RefundRequest } from '../../provider.ts';
import { type MulticardApi, type MulticardPayment, MulticardRefusal } from './api.ts';

/** Refusals after which the result is open (Multicard, "error codes"). */
const OPEN_CODES = ['ERROR_DEBIT_UNKNOWN', 'ERROR_CALLBACK_TIMEOUT', 'ERROR_UNKNOWN'];

/** One line of a fiscal receipt, by the account's codes. */
export type FiscalLine = (name: string, amountMinor: bigint) => object;

const standing = (state: RefundAnswer['state'], failureReason: string | null = null) => ({
  state,
  reference: null,
  failureReason,
});

/** What is left of the payment after the refund. */
function restOf({ payment, refundedBeforeMinor, amountMinor }: RefundRequest): bigint {
  return payment.amountMinor - refundedBeforeMinor - amountMinor;
}

/**
 * Refunds at Multicard, which takes no key and keeps no id of a refund: only what is left of the
 * payment tells whether one was carried out, so they go one after the other.
 */
export class MulticardRefunds implements RefundProvider {
  readonly isSerial = true;
  private readonly api: MulticardApi;
  private readonly line: FiscalLine;

  constructor(api: MulticardApi, line: FiscalLine) {
    this.api = api;
    this.line = line;
  }

  /** The rest of a payment goes back as a whole; a part leaves a new receipt over what remains. */
  async refund(request: RefundRequest): Promise<RefundAnswer> {
    const { payment, amountMinor } = request;
    const restMinor = restOf(request);
    try {
      if (restMinor === 0n) await this.api.deletePayment(payment.transactionId);
      else {
        const name = payment.startRequest?.description ?? payment.invoiceId;
        await this.api.deletePart(payment.transactionId, {
          refund_amount: Number(amountMinor),
          ofd: [this.line(name, restMinor)],
        });
      }
      return standing('succeeded');
    } catch (error) {
      if (!(error instanceof MulticardRefusal) || OPEN_CODES.includes(error.code)) throw error;
      return standing('failed', error.message);
    }
  }

  async lookupRefund(request: RefundRequest): Promise<RefundAnswer | { state: 'unknown' }> {
    const there = await this.api.readPayment(request.payment.transactionId);
    if (there.status === 'revert') return standing('succeeded');
    const restMinor = restOf(request);
    if (restMinor === 0n) return { state: 'unknown' };
    if (there.payment_amount === Number(restMinor)) return standing('succeeded');
    return isUntouched(request, there) ? { state: 'unknown' } : standing('pending');
  }
}

/**
 * Whether a part was surely not given back. Multicard does not say that a partial refund lowers the
 * payment's sum: that counts only where an earlier one has, or where nothing was ever given back. A
 * person decides otherwise, since a repeat would give it back twice.
 */
function isUntouched(
  { payment, refundedBeforeMinor }: RefundRequest,
  { payment_amount: amount, refund_time: refundedAt }: MulticardPayment,
): boolean {
  if (amount !== Number(payment.amountMinor - refundedBeforeMinor)) return false;
  return refundedBeforeMinor > 0n || refundedAt == null;
}
