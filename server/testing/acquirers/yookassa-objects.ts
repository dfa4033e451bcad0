import { randomUUID } from 'node:crypto';
import { toDecimalString } from '../../lib/money.ts';

export type Amount = { value: string; currency: string };
export type Receipt = {
  customer?: { email?: string; phone?: string };
  items?: { description: string; quantity: number | string; amount: Amount; vat_code: number }[];
};

/** A shop at YooKassa: its key, where it is told of news, and whether it sends receipts (54-FZ). */
export type Shop = {
  id: string;
  secretKey: string;
  hookUrl: string | null;
  sendsReceipts: boolean;
  isEnabled: boolean;
  isTest: boolean;
};

export type Payment = {
  shopId: string;
  id: string;
  status: 'pending' | 'waiting_for_capture' | 'succeeded' | 'canceled' | (string & {});
  amountMinor: bigint;
  currency: string;
  refundedMinor: bigint;
  createdAtMs: number;
  /** Until when the money is held. */
  expiresAtMs: number | null;
  wantsCapture: boolean;
  /** Its capture is ordered and not yet carried out. */
  isOrdered: boolean;
  returnUrl: string;
  description: string;
  metadata: Record<string, string>;
  receipt: Receipt | null;
  cancellation: { party: string; reason: string } | null;
  card: { last4: string; card_type: string };
};

export type Refund = {
  shopId: string;
  id: string;
  paymentId: string;
  status: 'pending' | 'succeeded' | 'canceled' | (string & {});
  amountMinor: bigint;
  createdAtMs: number;
  description: string | null;
  metadata: Record<string, string>;
  receipt: Receipt | null;
  reason: string | null;
};

const written = (amountMinor: bigint, currency: string): Amount => ({
  value: toDecimalString(amountMinor, 'RUB'),
  currency,
});

/** An id in YooKassa's form: 36 characters, as of a UUID. */
export const newId = () => `2${randomUUID().slice(1, 9)}000f-5000-8${randomUUID().slice(20)}`;

/** YooKassa's own fee in its books: 3.5 per cent. */
export const feeOf = (amountMinor: bigint): bigint => (amountMinor * 35n) / 1000n;

/** A payment as YooKassa writes it. */
export function paymentObject(
  payment: Payment,
  { pageUrl, isTest }: { pageUrl: string; isTest: boolean },
): object {
  const { id, status, amountMinor, currency, shopId, card, cancellation } = payment;
  const isPaid = status === 'waiting_for_capture' || status === 'succeeded';
  return {
    id,
    status,
    paid: isPaid,
    amount: written(amountMinor, currency),
    ...(status === 'succeeded' && {
      income_amount: written(amountMinor - feeOf(amountMinor), currency),
      refunded_amount: written(payment.refundedMinor, currency),
    }),
    ...(status === 'pending' && {
      confirmation: {
        type: 'redirect',
        confirmation_url: `${pageUrl}/pay/${id}`,
        return_url: payment.returnUrl,
      },
    }),
    ...(isPaid && {
      payment_method: {
        type: 'bank_card',
        id,
        saved: false,
        title: `Bank card *${card.last4}`,
        card: { first6: '220000', ...card, expiry_month: '12', expiry_year: '2030' },
      },
      expires_at: new Date(payment.expiresAtMs ?? 0).toISOString(),
    }),
    ...(cancellation && { cancellation_details: cancellation }),
    created_at: new Date(payment.createdAtMs).toISOString(),
    description: payment.description,
    metadata: payment.metadata,
    recipient: { account_id: shopId, gateway_id: '2000001' },
    refundable: status === 'succeeded',
    test: isTest,
  };
}

/** A refund as YooKassa writes it. */
export function refundObject(refund: Refund): object {
  const { id, paymentId, status, amountMinor, createdAtMs, description, metadata, reason } = refund;
  return {
    id,
    payment_id: paymentId,
    status,
    created_at: new Date(createdAtMs).toISOString(),
    amount: written(amountMinor, 'RUB'),
    ...(description !== null && { description }),
    ...(reason !== null && { cancellation_details: { party: 'refund_network', reason } }),
    metadata,
  };
}
