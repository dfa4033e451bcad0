import type { Currency } from '../../lib/money.ts';
import type { InvoiceStatus } from '../types.ts';

/** What the days of a list are days of, and so the order of its rows. */
export const LIST_DAYS = ['created', 'paid'] as const;
export type ListDays = (typeof LIST_DAYS)[number];

/** The filters of a list; null or empty ones narrow nothing. */
export type InvoiceFilters = {
  statuses: readonly InvoiceStatus[];
  currency: Currency | null;
  minAmountMinor: bigint | null;
  maxAmountMinor: bigint | null;
  /** What the two times are times of. By payment, a list has paid invoices alone. */
  by: ListDays;
  /** At or after, milliseconds. */
  fromMs: number | null;
  /** Before, milliseconds. */
  untilMs: number | null;
  /** The reusable link that they came from. */
  linkId: string | null;
  callbackState: 'pending' | 'delivered' | 'exhausted' | null;
  /** The typed text, as `parseSearch` reads it. */
  search: string;
};

/** An invoice as a list shows it. */
export type InvoiceListItem = {
  id: string;
  merchantTransactionId: string;
  status: InvoiceStatus;
  amountMinor: bigint;
  currency: Currency;
  description: string;
  createdAtMs: number;
  /** The time of its status change; of its creation while pending. */
  statusChangedAtMs: number;
  endDateMs: number;
  /** The brand of the paying attempt, or else of the newest one. */
  cardBrand: string | null;
  cardLast4: string | null;
  /** The merchant's account at the acquirer of that attempt; null for the sandbox's own cards. */
  accountName: string | null;
  /** The acquirer's payment id, as on the receipt; null unless paid. */
  paymentReference: string | null;
  /** What the acquirer keeps of the payment, in minor units; null where it is not known. */
  feeMinor: bigint | null;
  callbackState: 'pending' | 'delivered' | 'exhausted' | null;
  callbackAttempts: number;
  /** The sum of its refunds that have not failed. */
  refundedMinor: bigint;
};

/** A page of a list. */
export type InvoicePage = {
  invoices: InvoiceListItem[];
  /** Whether a text is searched for: then the newest come first in any case. */
  isSearch: boolean;
  /** The start of the next page; null at the end. */
  nextCursor: string | null;
  /**
   * Set when the search stopped before the page was full: where the next pages go on, as a time of
   * creation or, in an order by payment, of payment. Milliseconds.
   */
  searchedToMs: number | null;
  /** Set when older pending invoices were not searched, milliseconds. */
  pendingSearchedToMs: number | null;
};

/** The number of invoices on all pages of a list; `isMore` if the count stopped early. */
export type InvoiceCount = { count: number; isMore: boolean };
