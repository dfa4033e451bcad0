import { CALLBACK_STATES, type CallbackState } from '#server/callbacks/types.ts';
import { INVOICE_STATUSES, type InvoiceStatus, MAX_SEARCH_LENGTH } from '#server/invoices/types.ts';
import { numberFormat } from '#server/lib/formats.ts';
import type { Locale } from '#server/lib/locales.ts';
import {
  CURRENCIES,
  type Currency,
  MAX_AMOUNT_MINOR,
  readAmount,
  toDecimalString,
} from '#server/lib/money.ts';
import {
  daysInZone,
  hasAny,
  oneOf,
  queryDays,
  queryText,
  type SearchParams,
} from '../../../_shared/lists/query-text.ts';

/** The optional columns; the amount, which is the row's link, is always shown. */
export const COLUMNS = [
  'status',
  'description',
  'transaction',
  'card',
  'callback',
  'created',
  'id',
  'ends',
  'changed',
] as const;
export type Column = (typeof COLUMNS)[number];
export const USUAL_COLUMNS: readonly Column[] = COLUMNS.slice(0, 6);
/** A list by payment has the time of that as well. */
export type ShownColumn = Column | 'paid';

/** The filters as the address and the form hold them: texts, `''` for none. */
export type InvoiceQuery = {
  q: string;
  status: '' | InvoiceStatus;
  currency: '' | Currency;
  callback: '' | CallbackState;
  /** What the days are days of; `''` for those of creation. */
  by: '' | 'paid';
  from: string;
  to: string;
  min: string;
  max: string;
  /** The id of the reusable link that they came from. */
  link: string;
  /** The order: `''` for the newest first, or the one paid last. */
  sort: '' | 'oldest';
  /** The columns, separated by commas; `''` for those that the browser keeps, or the usual ones. */
  columns: string;
};

/** Reads the address; an unknown value counts as no filter. */
export function readInvoiceQuery(search: SearchParams): InvoiceQuery {
  return {
    q: queryText(search.q, MAX_SEARCH_LENGTH),
    status: oneOf(INVOICE_STATUSES, queryText(search.status)),
    currency: oneOf(CURRENCIES, queryText(search.currency)),
    callback: oneOf(CALLBACK_STATES, queryText(search.callback)),
    by: oneOf(['paid'], queryText(search.by)),
    ...queryDays(search),
    ...amounts(search),
    link: queryText(search.link),
    sort: oneOf(['oldest'], queryText(search.sort)),
    columns: chosenColumns(search.columns),
  };
}

/** The two amounts as texts, `''` for none; the lower comes first, as with days. */
function amounts(search: SearchParams): { min: string; max: string } {
  const amount = (value: string): string => (minorUnits(value) === null ? '' : value.trim());
  const [min, max] = [amount(queryText(search.min)), amount(queryText(search.max))];
  const [least, most] = [minorUnits(min), minorUnits(max)];
  const isTurned = least !== null && most !== null && most < least;
  return isTurned ? { min: max, max: min } : { min, max };
}

/** A form sends each box by itself, an address has them in one: in our order, each once. */
function chosenColumns(value: string | string[] | undefined): string {
  const given = (Array.isArray(value) ? value : (value ?? '').split(',')) as string[];
  return COLUMNS.filter((each) => given.includes(each)).join(',');
}

/** The columns to show: the address's, else those that the browser keeps, else the usual ones. */
export function columnsOf({ columns }: InvoiceQuery, kept = ''): readonly Column[] {
  const chosen = columns || chosenColumns(kept);
  return chosen === '' ? USUAL_COLUMNS : COLUMNS.filter((each) => chosen.split(',').includes(each));
}

/** With the time of payment, in a list by that: for the time of creation where nobody chose it. */
export function withPaid(columns: readonly Column[], { by }: InvoiceQuery): readonly ShownColumn[] {
  if (by === '') return columns;
  if (columns.join() !== USUAL_COLUMNS.join()) return [...columns, 'paid'];
  return columns.map((each) => (each === 'created' ? 'paid' : each));
}

/** The order as its words tell it; a search has the newest first in any case. */
export function orderOf({ by, sort }: InvoiceQuery, isSearch: boolean) {
  if (isSearch) return 'newest';
  if (by === 'paid') return sort === 'oldest' ? 'firstPaid' : 'lastPaid';
  return sort === 'oldest' ? 'oldest' : 'newest';
}

/** Whether any filter narrows the list. */
export function isNarrowed({ columns: _, sort: __, ...filters }: InvoiceQuery): boolean {
  return hasAny(filters);
}

/** An amount as `readAmount`, or null; one above any invoice's counts as the greatest. */
function minorUnits(value: string): number | null {
  const minor = readAmount(value);
  return minor === null ? null : Number(minor < MAX_AMOUNT_MINOR ? minor : MAX_AMOUNT_MINOR);
}

/** A filter's amount as people of `locale` write it: `1234.5` → `1,234.50`, `1 234,50`. */
export function amountInWords(text: string, locale: Locale): string {
  const minor = readAmount(text);
  if (minor === null) return '';
  const format = { minimumFractionDigits: 2, trailingZeroDisplay: 'stripIfInteger' } as const;
  const decimal = toDecimalString(minor, 'USD') as Intl.StringNumericLiteral;
  return numberFormat(locale, format).format(decimal);
}

/** The filters as the procedures take them. */
export function toFilters(query: InvoiceQuery, timeZone: string) {
  return {
    search: query.q,
    statuses: query.status === '' ? [] : [query.status],
    currency: query.currency === '' ? null : query.currency,
    callbackState: query.callback === '' ? null : query.callback,
    minAmountMinor: minorUnits(query.min),
    maxAmountMinor: minorUnits(query.max),
    linkId: query.link === '' ? null : query.link,
    by: query.by === '' ? ('created' as const) : query.by,
    ...daysInZone(query, timeZone),
    timeZone,
  };
}

/** The list as the procedure takes it. */
export function toList(query: InvoiceQuery, timeZone: string) {
  return { filters: toFilters(query, timeZone), isOldestFirst: query.sort === 'oldest' };
}
