import type { Currency } from '../../lib/money.ts';
import type { InvoiceStatus } from '../types.ts';

/** What narrows a list; each that is null or empty narrows nothing. */
export type InvoiceFilters = {
  statuses: readonly InvoiceStatus[];
  currency: Currency | null;
  minAmountMinor: bigint | null;
  maxAmountMinor: bigint | null;
  /** Created at or after, milliseconds. */
  fromMs: number | null;
  /** Created before, milliseconds. */
  untilMs: number | null;
  callbackState: 'pending' | 'delivered' | 'exhausted' | null;
  /** What a person typed: an id, a transaction id, an amount or the last four digits of a card. */
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
  /** When its status changed; of a pending one, when it was created. */
  statusChangedAtMs: number;
  endDateMs: number;
  /** Of the attempt that paid, else of the newest one. */
  cardBrand: string | null;
  cardLast4: string | null;
  /** The acquirer's id of the payment, as on the receipt; null unless paid. */
  paymentReference: string | null;
  callbackState: 'pending' | 'delivered' | 'exhausted' | null;
  callbackAttempts: number;
};

/** A page of a list, the newest first. */
export type InvoicePage = {
  invoices: InvoiceListItem[];
  /** The page after this one begins there; null at the end. */
  nextCursor: string | null;
  /**
   * Set when the search stopped before the page was full: when the newest invoice was created
   * that it has not looked at, milliseconds. It and what is older are on the pages after this one.
   */
  searchedToMs: number | null;
  /** Set when pending invoices older than this were not looked at, milliseconds. */
  pendingSearchedToMs: number | null;
};

/** How many a list has in all its pages; `isMore` where nobody counted to the end. */
export type InvoiceCount = { count: number; isMore: boolean };
