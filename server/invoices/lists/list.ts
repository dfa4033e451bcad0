import { notificationId } from '../../callbacks/enqueue.ts';
import type { Queryable } from '../../db/pool.ts';
import type { Tenant } from '../../merchants/types.ts';
import { epochMs } from '../columns.ts';
import { invoicesBy, paidSources, type Scope } from './list-arms.ts';
import { boundsOf, countFound, FOUND, findIds, foundByAll } from './list-found.ts';
import {
  comparePlaces,
  cursorOf,
  foundColumns,
  orderSql,
  type Place,
  placeholders,
} from './list-order.ts';
import type { InvoiceCount, InvoiceFilters, InvoiceListItem, InvoicePage } from './list-types.ts';
import { type Asked, type Ways, waysTo } from './list-ways.ts';

const MAX_PAGE = 1_000;
const MOST_COUNTED = 1_000;
/** The rows of an index that a page may read. */
const MOST_LOOKED_AT = 5_000;

type Row = Omit<InvoiceListItem, 'amountMinor' | 'feeMinor' | 'refundedMinor'> & {
  amountMinor: string;
  feeMinor: string | null;
  refundedMinor: string;
};

const COLUMNS = `i.id, i.merchant_transaction_id AS "merchantTransactionId", i.status,
  i.amount_minor::text AS "amountMinor", i.currency, i.description,
  ${epochMs('i.created_at')} AS "createdAtMs",
  ${epochMs('i.status_changed_at')} AS "statusChangedAtMs",
  ${epochMs('i.end_date')} AS "endDateMs", p.card_brand AS "cardBrand",
  p.card_last4 AS "cardLast4",
  (SELECT a.name FROM acquirer_accounts a WHERE a.id = p.account_id) AS "accountName",
  CASE WHEN i.status = 'PAID' AND p.id = i.capture_attempt_id
    THEN coalesce(p.authorisation_id, p.id) END AS "paymentReference",
  CASE WHEN i.status = 'PAID' AND p.id = i.capture_attempt_id
    THEN p.fee_minor::text END AS "feeMinor",
  c.state AS "callbackState",
  coalesce(c.attempt_count, 0) AS "callbackAttempts",
  i.refunded_minor::text AS "refundedMinor"`;

const NOTHING: InvoicePage = {
  invoices: [],
  isSearch: false,
  nextCursor: null,
  searchedToMs: null,
  pendingSearchedToMs: null,
};

type Next = { cursor: string; atMs: number };

/** The first of the tenant's paid invoices after a bound, which is its own too. */
async function nextPaid(db: Queryable, scope: Scope, bound: Place): Promise<Next | null> {
  const { values, add } = placeholders();
  const cursor = cursorOf(bound);
  const sources = paidSources({ ...scope, cursor }).map((source) => `(${source(add)} LIMIT 1)`);
  const { rows } = await db.query<{ at_ms: number }>(
    `SELECT ${epochMs('s.paid_at')} AS at_ms FROM (${sources.join(' UNION ALL ')}) s
     ORDER BY ${orderSql(scope.order, FOUND)} LIMIT 1`,
    values,
  );
  return rows[0] ? { cursor, atMs: rows[0].at_ms } : null;
}

/**
 * Where the tenant's list goes on after a bound, or null when nothing is left. A search's bound can
 * be another merchant's, because attempts know no tenant, and an invoice's id opens its payment
 * page: the cursor and the displayed time are of the tenant's own invoices.
 */
async function nextAfter(db: Queryable, scope: Scope, bound: Place): Promise<Next | null> {
  if (scope.order.by === 'paid') return await nextPaid(db, scope, bound);
  const { values, add } = placeholders();
  const { rows } = await db.query<{ id: string; at_ms: number }>(
    `SELECT i.id, ${epochMs('i.created_at')} AS at_ms
     FROM (${invoicesBy([], { ...scope, cursor: bound.id }, add)} LIMIT 1) s
     JOIN invoices i ON i.id = s.id`,
    values,
  );
  const [row] = rows;
  if (!row) return null;
  // The next page begins with that row, and in a list from the oldest on after the tenant's own last.
  const cursor = scope.order.isOldestFirst ? bound.id : `${row.id}0`;
  return { cursor, atMs: row.at_ms };
}

/** @param ids what is found, if that is known already */
async function readPage(
  db: Queryable,
  ways: Ways,
  { most, lookedAt, ids }: { most: number; lookedAt: number; ids: string[] | undefined },
): Promise<InvoiceListItem[]> {
  const { order } = ways.scope;
  const { values, add } = placeholders();
  const wanted = add(most);
  const found = ids
    ? `SELECT f.id FROM unnest(${add(ids)}::text[]) AS f (id)`
    : foundByAll(ways, add, { wanted, lookedAt });
  const { rows } = await db.query<Row>(
    `SELECT ${COLUMNS}
     FROM (SELECT s.* FROM (${found}) s ORDER BY ${orderSql(order, FOUND)}
       LIMIT ${wanted}::int) page
     JOIN invoices i ON i.id = page.id
     LEFT JOIN callbacks c ON c.id = ${notificationId('i.id')}
     LEFT JOIN LATERAL (SELECT id, account_id, authorisation_id, card_brand, card_last4,
         fee_minor
       FROM payment_attempts
       WHERE invoice_id = i.id
       ORDER BY id IS NOT DISTINCT FROM i.capture_attempt_id DESC, created_at DESC LIMIT 1) p ON true
     ORDER BY ${orderSql(order, foundColumns('page'))}`,
    values,
  );
  return rows.map((row) => ({
    ...row,
    amountMinor: BigInt(row.amountMinor),
    feeMinor: row.feeMinor === null ? null : BigInt(row.feeMinor),
    refundedMinor: BigInt(row.refundedMinor),
  }));
}

async function pageBy(
  db: Queryable,
  ways: Ways,
  {
    limit: asked,
    lookedAt,
    isWhole = false,
    ids,
  }: { limit: number; lookedAt: number; isWhole?: boolean; ids?: string[] },
): Promise<InvoicePage> {
  const { scope, arms, isSearch, wordBoundId } = ways;
  const { order } = scope;
  const placeOfRow = ({ id, statusChangedAtMs }: InvoiceListItem): Place => ({
    id,
    paidAtMs: order.by === 'paid' ? statusChangedAtMs : null,
  });
  const limit = Math.min(Math.max(1, asked), MAX_PAGE);
  const found = await readPage(db, ways, { most: limit + 1, lookedAt, ids });
  const beyond = found[limit];
  const bounds =
    beyond && arms.length === 1
      ? []
      : await boundsOf(db, ways, lookedAt, beyond ? placeOfRow(beyond) : null);

  // The first bound counts: one way has not searched beyond it while another has. What ids and
  // amounts found beyond the bound of words is shown if there is room, and again where the search
  // comes to it.
  const held = bounds.filter(({ holdsBack }) => holdsBack).map(({ place }) => place);
  const ofWords: Place[] = wordBoundId === null ? [] : [{ id: wordBoundId, paidAtMs: null }];
  const firstOf = (places: Place[]) => places.sort((a, b) => comparePlaces(order, a, b))[0];
  const bound = firstOf(beyond || isWhole ? [...held, ...ofWords] : held);
  const isHeld = (row: InvoiceListItem) =>
    bound && row.id !== bound.id && comparePlaces(order, placeOfRow(row), bound) > 0;
  const whole = found.filter((row) => !isHeld(row));
  const invoices = whole.slice(0, limit);
  const last = whole.length > limit ? invoices.at(-1) : undefined;
  const stop = last === undefined ? firstOf([...held, ...ofWords]) : undefined;
  const next = stop ? await nextAfter(db, scope, stop) : null;
  return {
    invoices,
    isSearch,
    nextCursor: last ? cursorOf(placeOfRow(last)) : (next?.cursor ?? null),
    searchedToMs: next?.atMs ?? null,
    pendingSearchedToMs: bounds.find((each) => !each.holdsBack)?.atMs ?? null,
  };
}

/** The number found by these ways, which read no more than a page does. */
async function countBy(
  db: Queryable,
  ways: Ways,
  { lookedAt, most, ids }: { lookedAt: number; most: number; ids?: string[] },
): Promise<InvoiceCount> {
  const count = ids?.length ?? (await countFound(db, ways, { lookedAt, most }));
  if (count > most) return { count: most, isMore: true };
  const isMore = ways.wordBoundId !== null || (await boundsOf(db, ways, lookedAt, null)).length > 0;
  return { count, isMore };
}

type PageAsked = Asked & { limit: number };

/**
 * A page of the tenant's invoices, the newest first; with days of payment, the one paid last.
 *
 * Pages are identified by the last place of the one before, never by an offset, so that page 1,000
 * costs what the first does. A filter without an index reads 5,000 rows for a page, which then ends
 * early and says how far it went.
 *
 * @param page.cursor `nextCursor` of the page before, or null
 * @param page.isOldestFirst turns the order round, except a search's
 * @param page.limit 1 to 1,000
 * @param page.findsBuyers whether buyers' addresses are searched: they are personal data
 * @param page.isWhole whether all pages together leave nothing out, however many they are: for a
 *   file. Otherwise they can end before all pending invoices were searched for an amount
 */
export async function listInvoices(
  db: Queryable,
  tenant: Tenant,
  page: PageAsked,
  { lookedAt = MOST_LOOKED_AT }: { lookedAt?: number } = {},
): Promise<InvoicePage> {
  const { limit, isWhole } = page;
  const ways = await waysTo(db, tenant, page, { lookedAt, wanted: limit + 1 });
  return ways === null ? NOTHING : await pageBy(db, ways, { limit, lookedAt, isWhole });
}

/**
 * The number of the tenant's invoices by these filters. It reads no further than a page of the list
 * does, and so costs no more: `isMore` if it stopped at `most`, or before it had read everything.
 */
export async function countInvoices(
  db: Queryable,
  tenant: Tenant,
  filters: InvoiceFilters,
  {
    lookedAt = MOST_LOOKED_AT,
    most = MOST_COUNTED,
    findsBuyers,
  }: { lookedAt?: number; most?: number; findsBuyers?: boolean } = {},
): Promise<InvoiceCount> {
  const limits = { lookedAt, wanted: most + 1 };
  const ways = await waysTo(db, tenant, { filters, cursor: null, findsBuyers }, limits);
  return ways === null ? { count: 0, isMore: false } : await countBy(db, ways, { lookedAt, most });
}

/** A page as by `listInvoices`, and the total number. */
export async function listAndCount(
  db: Queryable,
  tenant: Tenant,
  asked: PageAsked,
): Promise<InvoicePage & { total: InvoiceCount }> {
  const { filters, cursor, limit, findsBuyers } = asked;
  const lookedAt = MOST_LOOKED_AT;
  const wanted = cursor === null ? MOST_COUNTED + 1 : limit + 1;
  const ways = await waysTo(db, tenant, asked, { lookedAt, wanted });
  // A search costs more than all else, and so is made once for the page and the number.
  const isFirst = cursor === null && ways?.isSearch;
  const ids = isFirst ? await findIds(db, ways, { lookedAt, most: wanted }) : undefined;
  const page = ways === null ? NOTHING : await pageBy(db, ways, { limit, lookedAt, ids });
  if (cursor !== null) {
    return { ...page, total: await countInvoices(db, tenant, filters, { findsBuyers }) };
  }
  const { invoices, nextCursor, searchedToMs, pendingSearchedToMs } = page;
  // A first page that is not full has everything found, as far as it was searched.
  const hasAll = nextCursor === null || searchedToMs !== null;
  const total =
    ways === null || hasAll
      ? { count: invoices.length, isMore: searchedToMs !== null || pendingSearchedToMs !== null }
      : await countBy(db, ways, { most: MOST_COUNTED, lookedAt, ids });
  return { ...page, total };
}

/** The paid invoices of a list, as a statement that names their ids and where it may have stopped. */
export type PaidOfList = { sql: string; values: unknown[]; isCut: boolean };

/**
 * The newest paid ones of a list, up to `most` and one more; null if none can be in it.
 *
 * @param lookedAt the rows of an index that a way may read; `isCut` if one did
 */
export async function paidOfList(
  db: Queryable,
  tenant: Tenant,
  filters: InvoiceFilters,
  { lookedAt, most, findsBuyers }: { lookedAt: number; most: number; findsBuyers: boolean },
): Promise<PaidOfList | null> {
  if (filters.statuses.length > 0 && !filters.statuses.includes('PAID')) return null;
  const paid = { ...filters, statuses: ['PAID' as const] };
  const limits = { lookedAt, wanted: most + 1 };
  const ways = await waysTo(db, tenant, { filters: paid, cursor: null, findsBuyers }, limits);
  if (ways === null) return null;
  const { order } = ways.scope;
  const { values, add } = placeholders();
  const wanted = add(most + 1);
  const found = foundByAll(ways, add, { wanted, lookedAt });
  const sql = `SELECT s.id FROM (${found}) s ORDER BY ${orderSql(order, FOUND)}
    LIMIT ${wanted}::int`;
  const bounds = await boundsOf(db, ways, lookedAt, null);
  return { sql, values, isCut: ways.wordBoundId !== null || bounds.length > 0 };
}
