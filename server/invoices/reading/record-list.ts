import type pg from 'pg';
import type { QueryConfig } from 'pg';
import { clockFault } from '../../db/clock-offset.ts';
import { queryByIndexes } from '../../db/index-plans.ts';
import { idBefore } from '../../lib/ids.ts';
import { CURRENCIES } from '../../lib/money.ts';
import type { Tenant } from '../../merchants/types.ts';
import { EXPIRY_SET, expireDueInvoices } from '../expire.ts';
import {
  INVOICE_STATUSES,
  type InvoiceRecord,
  isByPayment,
  type ListPlace,
  type RecordFilters,
} from '../types.ts';
import {
  expireRead,
  RECORD_COLUMNS,
  type ReadContext,
  type RecordRow,
  toRecord,
} from './records.ts';

/** What a page is asked for; `after` is the last place of the page before. */
export type ListRequest = { filters: RecordFilters; limit: number; after: ListPlace | null };

// $1 merchant, $2 environment, $3 and $4 the span of ids, $5 rows wanted. Ids begin with the time of
// creation, so that a span of time is a span of ids.
const OF_SPAN = `i.merchant_id = $1::text AND i.environment = $2::environment
      AND i.id >= $3::text AND i.id < $4::text`;

/** Each row of a page is looked up by its key: a join might read the whole table instead. */
const page = (found: string, order: string): string => `
  SELECT ${RECORD_COLUMNS} FROM (${found}) page
  CROSS JOIN LATERAL (SELECT * FROM invoices WHERE id = page.id LIMIT 1) i
  ORDER BY ${order}`;

const ALL = page(
  `SELECT i.id FROM invoices i WHERE ${OF_SPAN} ORDER BY i.id DESC LIMIT $5::int`,
  'i.id DESC',
);

// A part for each currency and each status reads its index from the first row of its own on, and no
// more rows than the page has: however rare they are, and whichever of the two is asked for, nothing
// is passed over. PENDING invoices are in one index and all others in another; PostgreSQL uses such
// an index only where its condition is written out. $6 and $7 currencies and statuses of final ones,
// $8 currencies of PENDING ones.
const NARROWED = page(
  `SELECT part.id FROM (
    SELECT pending.id FROM unnest($8::currency[]) AS c (currency)
    CROSS JOIN LATERAL (
      SELECT i.id FROM invoices i
      WHERE ${OF_SPAN} AND i.status = 'PENDING' AND i.currency = c.currency
      ORDER BY i.id DESC LIMIT $5::int) pending
    UNION ALL
    SELECT final.id FROM unnest($6::currency[]) AS c (currency)
    CROSS JOIN unnest($7::invoice_status[]) AS s (status)
    CROSS JOIN LATERAL (
      SELECT i.id FROM invoices i
      WHERE ${OF_SPAN} AND i.status <> 'PENDING' AND i.status = s.status AND i.currency = c.currency
      ORDER BY i.id DESC LIMIT $5::int) final) part
   ORDER BY part.id DESC LIMIT $5::int`,
  'i.id DESC',
);

// The status of a paid invoice is final, so that `status_changed_at` is the time of its payment. $7
// from, $8 until and with, $9 the id to continue after at that time.
const PAID = page(
  `SELECT part.id, part.status_changed_at FROM unnest($6::currency[]) AS c (currency)
   CROSS JOIN LATERAL (
    SELECT i.id, i.status_changed_at FROM invoices i
    WHERE ${OF_SPAN} AND i.status = 'PAID' AND i.currency = c.currency
      AND i.status_changed_at >= $7::timestamptz AND i.status_changed_at <= $8::timestamptz
      AND ($9::text IS NULL OR i.status_changed_at < $8::timestamptz OR i.id < $9::text)
    ORDER BY i.status_changed_at DESC, i.id DESC LIMIT $5::int) part
   ORDER BY part.status_changed_at DESC, part.id DESC LIMIT $5::int`,
  'i.status_changed_at DESC, i.id DESC',
);

/** After all ids that there will be in ten thousand years. */
const LAST_TIME_MS = 32 ** 10 - 1;

function spanOf({ filters, after }: ListRequest): [string, string] {
  const { createdFromMs, createdToMs } = filters;
  const from = idBefore('inv', createdFromMs ?? 0);
  const until = idBefore('inv', createdToMs ?? LAST_TIME_MS);
  const isEarlier = after !== null && after.paidAtMs === null && after.id < until;
  return [from, isEarlier ? after.id : until];
}

function paidQuery(shared: unknown[], currencies: unknown, request: ListRequest): QueryConfig {
  const { filters, after } = request;
  const { paidFromMs, paidToMs, createdFromMs } = filters;
  // Nothing is paid before it is created.
  const fromMs = Math.max(paidFromMs ?? 0, createdFromMs ?? 0);
  const untilMs = after?.paidAtMs ?? (paidToMs === null ? null : paidToMs - 1);
  const until = untilMs === null ? 'infinity' : new Date(untilMs).toISOString();
  const values = [...shared, currencies, new Date(fromMs).toISOString(), until, after?.id ?? null];
  return { name: 'record_list_paid', text: PAID, values };
}

/** The statement of a page, with one row more to see whether another page follows. */
export function listQuery({ merchantId, environment }: Tenant, request: ListRequest): QueryConfig {
  const { filters, limit } = request;
  const { currency, status } = filters;
  const shared = [merchantId, environment, ...spanOf(request), limit + 1];
  const currencies = currency === null ? CURRENCIES : [currency];
  if (isByPayment(filters)) return paidQuery(shared, currencies, request);
  if (currency === null && status === null) {
    return { name: 'record_list', text: ALL, values: shared };
  }
  const statuses = status === null ? INVOICE_STATUSES : [status];
  const final = statuses.filter((each) => each !== 'PENDING');
  const pending = statuses.includes('PENDING') ? currencies : [];
  return {
    name: 'record_list_narrowed',
    text: NARROWED,
    values: [...shared, currencies, final, pending],
  };
}

/** Rows whose time was over, as they are now; those that the filter no longer wants are left out. */
async function readAgain(
  pool: pg.Pool,
  rows: readonly RecordRow[],
  changed: ReadonlySet<string>,
  { status }: RecordFilters,
): Promise<RecordRow[]> {
  if (changed.size === 0) return [...rows];
  const { rows: again } = await pool.query<RecordRow>({
    name: 'records_by_id',
    text: `SELECT ${RECORD_COLUMNS} FROM invoices i WHERE i.id = ANY ($1::text[])`,
    values: [[...changed]],
  });
  const byId = new Map(again.map((row) => [row.id, row]));
  const current = rows.map((row) => byId.get(row.id) ?? row);
  return current.filter((row) => status === null || row.status === status);
}

/**
 * A page of the tenant's invoices: the newest first, or with a filter by the time of payment the one
 * paid last.
 *
 * Each invoice keeps its place for ever: its id, and once it is paid the time of that. A page begins
 * after the last place of the one before, so that following them meets each invoice that was there
 * at the first once, and those that come meanwhile before or after that, but none twice.
 *
 * What is past its end date is expired by the read, as by that of its status.
 */
export async function listRecords(
  pool: pg.Pool,
  tenant: Tenant,
  request: ListRequest,
  context: ReadContext,
): Promise<{ records: InvoiceRecord[]; next: ListPlace | null }> {
  const { filters, limit } = request;
  const { status } = filters;
  const byPayment = isByPayment(filters);
  if (byPayment && status !== null && status !== 'PAID') return { records: [], next: null };
  // No page of EXPIRED ones would meet them as long as they are PENDING.
  if (status === 'EXPIRED' && clockFault() === null) {
    await expireDueInvoices(pool, { now: context.now, limit: EXPIRY_SET });
  }
  const rows = await queryByIndexes<RecordRow & pg.QueryResultRow>(
    pool,
    listQuery(tenant, request),
  );
  const shown = rows.slice(0, limit);
  const last = rows.length > limit ? shown.at(-1) : undefined;
  const changed = await expireRead(pool, tenant, shown, context);
  const current = await readAgain(pool, shown, changed, filters);
  const next = last && { id: last.id, paidAtMs: byPayment ? last.status_changed_at_ms : null };
  return { records: current.map(toRecord), next: next ?? null };
}
