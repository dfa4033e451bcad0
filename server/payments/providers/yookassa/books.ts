import type { BookLine, ReadBooks } from '../../provider.ts';
import { fromAmount, type YooKassaApi, type YooKassaPayment, type YooKassaRefund } from './api.ts';

/** What the shop was charged for a payment; null where YooKassa does not tell. */
export function feeOf({ amount, income_amount }: YooKassaPayment): bigint | null {
  if (!income_amount) return null;
  return fromAmount(amount).amountMinor - fromAmount(income_amount).amountMinor;
}

const STATES: Readonly<Record<string, BookLine['state']>> = {
  waiting_for_capture: 'held',
  succeeded: 'succeeded',
  canceled: 'ended',
};

function lineOf(
  kind: BookLine['kind'],
  { id, status, amount, created_at }: YooKassaPayment | YooKassaRefund,
): Omit<BookLine, 'paymentId' | 'ourId' | 'feeMinor'> {
  const createdAtMs = Date.parse(created_at);
  return { kind, id, ...fromAmount(amount), state: STATES[status] ?? 'open', createdAtMs };
}

/** Reads a shop's payments, then its refunds, by their lists. */
export function readBooks(api: YooKassaApi): ReadBooks {
  return async function* ({ fromMs, toMs }) {
    const query = {
      'created_at.gte': new Date(fromMs).toISOString(),
      'created_at.lt': new Date(toMs).toISOString(),
    };
    for await (const payment of api.listPayments(query)) {
      const ourId = payment.metadata?.attempt_id ?? null;
      const feeMinor = feeOf(payment);
      yield { ...lineOf('payment', payment), paymentId: payment.id, ourId, feeMinor };
    }
    for await (const refund of api.listRefunds(query)) {
      const ourId = refund.metadata?.refund_id ?? null;
      yield { ...lineOf('refund', refund), paymentId: refund.payment_id, ourId, feeMinor: null };
    }
  };
}
