import {
  INVOICE_STATUSES,
  type InvoiceStatus,
  isByPayment,
  type ListPlace,
  type RecordFilters,
  STATUS_CODES,
} from '../invoices/types.ts';
import { CURRENCIES, type Currency } from '../lib/money.ts';
import { readOnce } from './invoice-reference.ts';
import {
  type FaultParams,
  faultAt,
  LATEST_END_DATE_MS,
  notAmong,
  type Validated,
  type ValidationItem,
  valueError,
} from './validation.ts';

/** The number of items on a page: at most, and when none is asked for. */
export const INVOICE_PAGE = { most: 200, preset: 50 } as const;

/** A cursor is opaque to merchants; nothing but the gateway's own texts are taken back. */
export const BAD_CURSOR: FaultParams = valueError('this is no next_cursor of this list');

const WHOLE: FaultParams = { type: 'int_type', msg: 'Input should be a valid integer' };
const STATUS_ENUM = notAmong(INVOICE_STATUSES.map((each) => String(STATUS_CODES[each])));
const CURRENCY_ENUM = notAmong(CURRENCIES.map((each) => `'${each}'`));

/** Reads the parameters of a query, and gathers all its faults. */
export class QueryReader {
  private readonly query: URLSearchParams;
  readonly detail: ValidationItem[] = [];

  constructor(query: URLSearchParams) {
    this.query = query;
  }

  /** A parameter as `read` makes it of its text; null without one, or with a fault. */
  optional<T>(name: string, read: (text: string) => T | FaultParams): T | null {
    const given = readOnce(this.query, name);
    this.detail.push(...given.detail);
    if (given.text === null) return null;
    const value = read(given.text);
    if (!isFault(value)) return value;
    this.refuse(name, value);
    return null;
  }

  refuse(name: string, fault: FaultParams): void {
    this.detail.push(faultAt(['query', name], fault));
  }

  whole(name: string, { least, most }: { least: number; most: number }): number | null {
    return this.optional(name, (text) => {
      if (!/^-?\d+$/.test(text)) return WHOLE;
      const value = Number(text);
      if (value < least) {
        return { type: 'greater_than', msg: `Input should be greater than ${least - 1}` };
      }
      if (value <= most) return value;
      return { type: 'less_than_equal', msg: `Input should be less than or equal to ${most}` };
    });
  }

  /** UTC milliseconds. */
  time(name: string): number | null {
    return this.whole(name, { least: 0, most: LATEST_END_DATE_MS });
  }
}

function isFault(value: unknown): value is FaultParams {
  return typeof value === 'object' && value !== null && 'msg' in value;
}

function statusOf(text: string): InvoiceStatus | FaultParams {
  const status = INVOICE_STATUSES.find((each) => String(STATUS_CODES[each]) === text);
  return status ?? STATUS_ENUM;
}

const currencyOf = (text: string): Currency | FaultParams =>
  CURRENCIES.find((each) => each === text) ?? CURRENCY_ENUM;

/** The text of a cursor. */
export function cursorText({ id, paidAtMs }: ListPlace): string {
  return Buffer.from(paidAtMs === null ? id : `${paidAtMs}:${id}`).toString('base64url');
}

const PLACE = /^(?:(\d{1,15}):)?(inv_[0-9a-z]{1,64})$/;

function placeOf(cursor: string): ListPlace | FaultParams {
  const [, paidAt, id] = PLACE.exec(Buffer.from(cursor, 'base64url').toString('latin1')) ?? [];
  if (id === undefined || Number(paidAt ?? 0) > LATEST_END_DATE_MS) return BAD_CURSOR;
  const place = { id, paidAtMs: paidAt === undefined ? null : Number(paidAt) };
  return cursorText(place) === cursor ? place : BAD_CURSOR;
}

/**
 * Reads the query of a list of invoices. A cursor of the list by payment is none of that by
 * creation: its place would mean another one.
 */
export function parseListQuery(
  query: URLSearchParams,
): Validated<{ filters: RecordFilters; limit: number; after: ListPlace | null }> {
  const reader = new QueryReader(query);
  const filters: RecordFilters = {
    status: reader.optional('status', statusOf),
    currency: reader.optional('currency', currencyOf),
    createdFromMs: reader.time('created_from'),
    createdToMs: reader.time('created_to'),
    paidFromMs: reader.time('paid_from'),
    paidToMs: reader.time('paid_to'),
  };
  const limit = reader.whole('limit', { least: 1, most: INVOICE_PAGE.most });
  const after = reader.optional('cursor', placeOf);
  if (after !== null && (after.paidAtMs !== null) !== isByPayment(filters)) {
    reader.refuse('cursor', BAD_CURSOR);
  }
  const { detail } = reader;
  if (detail.length > 0) return { ok: false, detail };
  return { ok: true, value: { filters, limit: limit ?? INVOICE_PAGE.preset, after } };
}
