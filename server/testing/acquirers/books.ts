import type { BookLine } from '../../payments/provider.ts';

/** One payment in the books of a stand-in; its id is the one that the merchant is told. */
export type StandInPayment = Pick<BookLine, 'id' | 'amountMinor' | 'state'> & { invoiceId: string };
