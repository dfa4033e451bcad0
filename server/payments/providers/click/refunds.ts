import type { Pool } from 'pg';
import type { OpenAccount } from '../../../merchants/acquirer-accounts.ts';
import { cancelHold } from '../../holds/holds.ts';
import type { RefundAnswer, RefundProvider, RefundRequest } from '../../provider.ts';
import { askPaymentStatus, askReversal } from './merchant-api.ts';

const TASHKENT_MS = 5 * 60 * 60_000;

/** Why a payment ended without money, in Click's numbers: "Transaction cancelled". */
export const CANCELED = -9;

/** A moment's month in Tashkent, counted from the year 0, and its day. */
function monthAndDay(atMs: number): { month: number; day: number } {
  const there = new Date(atMs + TASHKENT_MS);
  return { month: there.getUTCFullYear() * 12 + there.getUTCMonth(), day: there.getUTCDate() };
}

/**
 * Whether Click reverses a payment at this moment: in the month of the payment, and on the first day
 * of the next (Click, Merchant API).
 */
export function isReversible(paidAtMs: number, atMs: number): boolean {
  const paid = monthAndDay(paidAtMs);
  const now = monthAndDay(atMs);
  return paid.month === now.month || (paid.month === now.month - 1 && now.day === 1);
}

const TOO_LATE =
  'Click reverses a payment only within its month and on the first day of the next month.';

const failed = (failureReason: string): RefundAnswer => ({
  state: 'failed',
  reference: null,
  failureReason,
});

/**
 * Reversals at Click: of the whole payment, by its Merchant API, without a key. The payment's own
 * status tells whether one was carried out.
 */
export class ClickRefunds implements RefundProvider {
  private readonly db: Pool;
  private readonly service: { account: OpenAccount; apiUrl: string };

  constructor(db: Pool, service: { account: OpenAccount; apiUrl: string }) {
    this.db = db;
    this.service = service;
  }

  async refund(request: RefundRequest, now: Date): Promise<RefundAnswer> {
    if (!isReversible(request.payment.createdAtMs, now.getTime())) return failed(TOO_LATE);
    const asked = { ...this.service, paymentNumber: request.payment.transactionId, now };
    const refusal = await askReversal(asked);
    if (refusal === null) return await this.succeeded(request, now);
    // An error may be the answer to a repeat: the payment's status decides.
    const status = await askPaymentStatus(asked);
    if (status === 'open') throw new Error(`click tells nothing of ${asked.paymentNumber}`);
    return status === 'failed' ? await this.succeeded(request, now) : failed(refusal);
  }

  async lookupRefund(
    request: RefundRequest,
    now: Date,
  ): Promise<RefundAnswer | { state: 'unknown' }> {
    const asked = { ...this.service, paymentNumber: request.payment.transactionId, now };
    const status = await askPaymentStatus(asked);
    if (status === 'failed') return await this.succeeded(request, now);
    if (status === 'paid') return { state: 'unknown' };
    return { state: 'pending', reference: null, failureReason: null };
  }

  /** The payment's number stands for the refund: there is no other of it. */
  private async succeeded({ payment }: RefundRequest, now: Date): Promise<RefundAnswer> {
    const why = { reason: CANCELED, declineReason: 'generic_decline', now } as const;
    await cancelHold(this.db, { attemptId: payment.id }, why);
    return { state: 'succeeded', reference: payment.transactionId, failureReason: null };
  }
}
