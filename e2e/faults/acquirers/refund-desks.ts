import { toDecimalString } from '#server/lib/money.ts';
import type { StandInPayment, StandInRefund } from '#server/testing/acquirers/books.ts';
import type { ClickStandIn } from '#server/testing/acquirers/click-page.ts';
import type { MulticardStandIn } from '#server/testing/acquirers/multicard.ts';
import type { PaymeStandIn } from '#server/testing/acquirers/payme-page.ts';
import type { StripeStandIn } from '#server/testing/acquirers/stripe.ts';
import type { YooKassaStandIn } from '#server/testing/acquirers/yookassa.ts';
import type { Random } from '../random.ts';

/** What the fault suite does about refunds at an acquirer. */
export type RefundDesk = {
  /** Which refunds the gateway asks for there. */
  takes: 'partial' | 'full' | 'outside';
  /** What a gateway asks there about refunds: faults meet these calls. */
  operations: readonly string[];
  books: () => StandInRefund[];
  /** Whether the refunds that are asked for from now on stay open there. */
  setPending?: (isPending: boolean) => void;
  /** Every open refund ends, one way or the other. */
  settle?: (random: Random) => void;
  /** The buyer's bank sends a refund back that had succeeded. */
  failLate?: (refundId: string) => void;
  /** The merchant gives money back in the acquirer's cabinet. @throws where it cannot be */
  giveBack?: (payment: StandInPayment, amountMinor: bigint) => Promise<void>;
};

const isOpen = ({ state }: StandInRefund) => state === 'open';

export const stripeDesk = (standIn: StripeStandIn): RefundDesk => ({
  takes: 'partial',
  operations: ['POST /v1/refunds', 'GET /v1/refunds', 'GET /v1/refunds/{id}'],
  books: () => standIn.refunds(),
  setPending: (isPending) => {
    standIn.books.refundStatus = isPending ? 'pending' : 'succeeded';
  },
  settle: (random) => {
    // A refund that Stripe answered by a fault is kept under its key for a day, which passes now.
    standIn.forgetKeys();
    for (const { id } of standIn.refunds().filter(isOpen)) {
      standIn.books.settleRefund(String(id), random.pick(['succeeded', 'failed']));
    }
  },
  failLate: (refundId) => standIn.books.settleRefund(refundId, 'failed', 'account_closed'),
  giveBack: async ({ id }, amountMinor) => {
    const form = { payment_intent: id, amount: String(amountMinor) };
    standIn.books.refund(standIn.books.ownerOf(id), form);
  },
});

export const yookassaDesk = (standIn: YooKassaStandIn): RefundDesk => ({
  takes: 'partial',
  operations: ['POST /refunds', 'GET /refunds', 'GET /refunds/:id'],
  books: () => standIn.refundBooks(),
  setPending: (isPending) => {
    standIn.refundsBecome = isPending ? 'pending' : 'succeeded';
  },
  settle: (random) => {
    for (const { id } of standIn.refundBooks().filter(isOpen)) {
      standIn.endRefund(String(id), random.pick(['succeeded', 'canceled']));
    }
  },
  giveBack: async ({ id }, amountMinor) => {
    const shop = standIn.shops.get(standIn.payment(null, id).shopId);
    if (!shop) throw new Error(`the shop of ${id} is gone`);
    const amount = { value: toDecimalString(amountMinor, 'RUB'), currency: 'RUB' };
    standIn.refund(shop, { payment_id: id, amount });
  },
});

export const multicardDesk = (standIn: MulticardStandIn): RefundDesk => ({
  takes: 'partial',
  operations: ['DELETE /payment/partial', 'DELETE /payment', 'GET /payment'],
  books: () => standIn.refundBooks(),
});

export const clickDesk = (standIn: ClickStandIn): RefundDesk => ({
  takes: 'full',
  operations: ['reversal', 'status'],
  books: () => standIn.refundBooks(),
});

export const paymeDesk = (standIn: PaymeStandIn): RefundDesk => ({
  takes: 'outside',
  operations: ['CancelTransaction'],
  books: () => standIn.refundBooks(),
  giveBack: ({ id }) => standIn.giveBack(id),
});
