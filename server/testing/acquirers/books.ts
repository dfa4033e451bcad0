import type { BookLine } from '../../payments/provider.ts';

/** One payment in the books of a stand-in; its id is the one that the merchant is told. */
export type StandInPayment = Pick<BookLine, 'id' | 'amountMinor' | 'state'> & { invoiceId: string };

/** One refund in the books of a stand-in; `id` is null where the acquirer has none of its own. */
export type StandInRefund = Pick<BookLine, 'paymentId' | 'ourId' | 'amountMinor' | 'state'> & {
  id: string | null;
};
