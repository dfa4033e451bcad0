import { notificationId } from '../../callbacks/enqueue.ts';
import type { Queryable } from '../../db/pool.ts';
import type { Tenant } from '../../merchants/types.ts';
import { epochMs } from '../columns.ts';
import { type Add, type Arm, armsOf, invoicesBy, placeholders, type Scope } from './list-arms.ts';
import type { InvoiceCount, InvoiceFilters, InvoiceListItem, InvoicePage } from './list-types.ts';
import { parseSearch } from './search.ts';

const MAX_PAGE = 1_000;
const MOST_COUNTED = 1_000;
/** The rows of an index that a page may read. */
const MOST_LOOKED_AT = 5_000;
/** Callbacks in a state are few, and cheap to sort, up to this multiple of a page's rows. */
const FEW = 4;

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
  CASE WHEN i.status = 'PAID' AND p.id = i.capture_attempt_id
    THEN coalesce(p.authorisation_id, p.id) END AS "paymentReference",
  CASE WHEN i.status = 'PAID' AND p.id = i.capture_attempt_id
    THEN p.fee_minor::text END AS "feeMinor",
  c.state AS "callbackState",
  coalesce(c.attempt_count, 0) AS "callbackAttempts",
  i.refunded_minor::text AS "refundedMinor"`;

const mostOf = ({ most }: Arm, lookedAt: number): number => Math.min(most ?? lookedAt, lookedAt);

/** The ids that an arm finds; a source without further conditions needs no bound. */
function idsOf(arm: Arm, add: Add, wanted: string, lookedAt: number): string {
  const { source, rest } = arm;
  const conditions = rest(add);
  if (conditions.length === 0) return `(SELECT s.id FROM (${source(add)} LIMIT ${wanted}::int) s)`;
  // Each is looked up by its key (a join without LIMIT might read the whole table instead), only
  // until the page is full.
  return `(SELECT s.id FROM (${source(add)} LIMIT ${mostOf(arm, lookedAt)}) s
    CROSS JOIN LATERAL (SELECT * FROM invoices WHERE id = s.id LIMIT 1) i
    WHERE ${conditions.join(' AND ')} ORDER BY s.id DESC LIMIT ${wanted}::int)`;
}

/** Whether the wanted state has few enough callbacks to lead to their invoices. */
async function hasFewCallbacks(
  db: Queryable,
  { tenant, filters: { callbackState } }: Scope,
  lookedAt: number,
): Promise<boolean> {
  if (callbackState === null || callbackState === 'delivered') return false;
  const { rows } = await db.query<{ few: boolean }>(
    `SELECT count(*) <= $4::int AS few FROM (SELECT FROM callbacks
       WHERE merchant_id = $1::text AND environment = $2::environment
         AND state = $3::callback_state LIMIT $4::int + 1) c`,
    [tenant.merchantId, tenant.environment, callbackState, lookedAt * FEW],
  );
  return rows[0]?.few ?? false;
}

const NOTHING: InvoicePage = {
  invoices: [],
  nextCursor: null,
  searchedToMs: null,
  pendingSearchedToMs: null,
};

type Bound = { id: string; atMs: number; holdsBack: boolean };

/** The bounds reached by arms; below the last row of a full page they do not matter. */
async function boundsOf(
  db: Queryable,
  arms: Arm[],
  lookedAt: number,
  lowestId: string | null,
): Promise<Bound[]> {
  const { values, add } = placeholders();
  const bounded = arms.filter(({ rest }) => rest(() => '').length > 0);
  if (bounded.length === 0) return [];
  const lasts = bounded.map((arm) => {
    const isAsked = arm.holdsBack && lowestId !== null;
    return `(SELECT s.id, ${arm.holdsBack} AS holds_back FROM (${arm.source(add)}) s
      ${isAsked ? `WHERE s.id >= ${add(lowestId)}::text` : ''}
      OFFSET ${mostOf(arm, lookedAt) - 1} LIMIT 1)`;
  });
  const { rows } = await db.query<{ id: string; at_ms: number; holds_back: boolean }>(
    `SELECT b.id, b.holds_back, ${epochMs('i.created_at')} AS at_ms
     FROM (${lasts.join(' UNION ALL ')}) b JOIN invoices i ON i.id = b.id`,
    values,
  );
  return rows.map((row) => ({ id: row.id, atMs: row.at_ms, holdsBack: row.holds_back }));
}

/** The tenant's newest invoice below a bound, or null when nothing is left. */
async function newestBelow(
  db: Queryable,
  scope: Scope,
  boundId: string,
): Promise<{ id: string; atMs: number } | null> {
  const { values, add } = placeholders();
  const { rows } = await db.query<{ id: string; at_ms: number }>(
    `SELECT i.id, ${epochMs('i.created_at')} AS at_ms
     FROM (${invoicesBy([], { ...scope, cursor: boundId }, add)} LIMIT 1) s
     JOIN invoices i ON i.id = s.id`,
    values,
  );
  const [row] = rows;
  return row ? { id: row.id, atMs: row.at_ms } : null;
}

/**
 * The scope of a search, limited to the tenant's own newest and oldest invoice in it; null if it
 * has none. Attempts know no tenant: the position of the 5,000th, counted from a place of the
 * caller's choice, would reveal other merchants' ids place by place.
 */
async function withinOwn(db: Queryable, scope: Scope): Promise<Scope | null> {
  const { values, add } = placeholders();
  const own = invoicesBy([], scope, add);
  const { rows } = await db.query<{ newest: string | null; oldest_ms: number | null }>(
    `SELECT (${own} LIMIT 1) AS newest,
       (SELECT ${epochMs('i.created_at')} FROM (${invoicesBy([], scope, add, 'ASC')} LIMIT 1) s
        JOIN invoices i ON i.id = s.id) AS oldest_ms`,
    values,
  );
  const { newest = null, oldest_ms: fromMs = null } = rows[0] ?? {};
  if (newest === null) return null;
  // The newest itself is within the scope.
  return { ...scope, cursor: `${newest}0`, filters: { ...scope.filters, fromMs, untilMs: null } };
}

type Ways = { scope: Scope; arms: Arm[] };

/** The ways to the requested invoices; null if there are none. */
async function waysTo(
  db: Queryable,
  asked: Scope,
  { isWhole, lookedAt }: { isWhole: boolean; lookedAt: number },
): Promise<Ways | null> {
  const search = parseSearch(asked.filters.search);
  const scope = search === null ? asked : await withinOwn(db, asked);
  if (scope === null) return null;
  const fewCallbacks = search === null && (await hasFewCallbacks(db, scope, lookedAt));
  return { scope, arms: armsOf(scope, search, { fewCallbacks, isWhole }) };
}

async function readPage(
  db: Queryable,
  arms: Arm[],
  wanted: number,
  lookedAt: number,
): Promise<InvoiceListItem[]> {
  const { values, add } = placeholders();
  const limit = add(wanted);
  const found = arms.map((arm) => idsOf(arm, add, limit, lookedAt)).join(' UNION ');
  const { rows } = await db.query<Row>(
    `SELECT ${COLUMNS}
     FROM (SELECT f.id FROM (${found}) f ORDER BY f.id DESC LIMIT ${limit}::int) page
     JOIN invoices i ON i.id = page.id
     LEFT JOIN callbacks c ON c.id = ${notificationId('i.id')}
     LEFT JOIN LATERAL (SELECT id, authorisation_id, card_brand, card_last4, fee_minor
       FROM payment_attempts
       WHERE invoice_id = i.id
       ORDER BY id IS NOT DISTINCT FROM i.capture_attempt_id DESC, created_at DESC LIMIT 1) p ON true
     ORDER BY i.id DESC`,
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
  { scope, arms }: Ways,
  { limit: asked, lookedAt }: { limit: number; lookedAt: number },
): Promise<InvoicePage> {
  const limit = Math.min(Math.max(1, asked), MAX_PAGE);
  const found = await readPage(db, arms, limit + 1, lookedAt);
  const isFull = found.length > limit;
  const lowestId = isFull ? (found.at(-1)?.id ?? null) : null;
  const bounds = isFull && arms.length === 1 ? [] : await boundsOf(db, arms, lookedAt, lowestId);

  // The newest bound counts: one way has not searched beyond it while another has.
  const held = bounds.filter(({ holdsBack }) => holdsBack).sort((a, b) => (a.id < b.id ? 1 : -1));
  const bound = held[0];
  const whole = bound ? found.filter(({ id }) => id >= bound.id) : found;
  const invoices = whole.slice(0, limit);
  const last = whole.length > limit ? invoices.at(-1)?.id : undefined;
  // A bound can be another merchant's, because attempts know no tenant, and an invoice's id opens
  // its payment page: the cursor and the displayed time are of the tenant's own invoices.
  const next = bound && last === undefined ? await newestBelow(db, scope, bound.id) : null;
  return {
    invoices,
    // The next page begins with `next`: this sorts just after it.
    nextCursor: last ?? (next && `${next.id}0`),
    searchedToMs: next?.atMs ?? null,
    pendingSearchedToMs: bounds.find((each) => !each.holdsBack)?.atMs ?? null,
  };
}

/** The number found by these ways, which read no more than a page does. */
async function countBy(
  db: Queryable,
  { arms }: Ways,
  { lookedAt, most }: { lookedAt: number; most: number },
): Promise<InvoiceCount> {
  const { values, add } = placeholders();
  const limit = add(most + 1);
  const found = arms.map((arm) => idsOf(arm, add, limit, lookedAt)).join(' UNION ');
  const { rows } = await db.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM (${found}) f`,
    values,
  );
  const { count = 0 } = rows[0] ?? {};
  if (count > most) return { count: most, isMore: true };
  return { count, isMore: (await boundsOf(db, arms, lookedAt, null)).length > 0 };
}

/**
 * A page of the tenant's invoices, the newest first.
 *
 * Pages are identified by the last id of the one before, never by an offset, so that page 1,000
 * costs what the first does. A filter without an index reads 5,000 rows for a page, which then ends
 * early and says how far back it went.
 *
 * @param cursor `nextCursor` of the page before, or null
 * @param limit 1 to 1,000
 * @param isWhole whether all pages together leave nothing out, however many they are: for a file.
 *   Otherwise they can end before all pending invoices were searched for an amount
 */
export async function listInvoices(
  db: Queryable,
  tenant: Tenant,
  page: { filters: InvoiceFilters; cursor: string | null; limit: number; isWhole?: boolean },
  { lookedAt = MOST_LOOKED_AT }: { lookedAt?: number } = {},
): Promise<InvoicePage> {
  const { filters, cursor, limit, isWhole = false } = page;
  const ways = await waysTo(db, { tenant, filters, cursor }, { isWhole, lookedAt });
  return ways === null ? NOTHING : await pageBy(db, ways, { limit, lookedAt });
}

/**
 * The number of the tenant's invoices by these filters. It reads no further than a page of the list
 * does, and so costs no more: `isMore` if it stopped at `most`, or before it had read everything.
 */
export async function countInvoices(
  db: Queryable,
  tenant: Tenant,
  filters: InvoiceFilters,
  { lookedAt = MOST_LOOKED_AT, most = MOST_COUNTED }: { lookedAt?: number; most?: number } = {},
): Promise<InvoiceCount> {
  const options = { isWhole: false, lookedAt };
  const ways = await waysTo(db, { tenant, filters, cursor: null }, options);
  return ways === null ? { count: 0, isMore: false } : await countBy(db, ways, { lookedAt, most });
}

/** A page as by `listInvoices`, and the total number. */
export async function listAndCount(
  db: Queryable,
  tenant: Tenant,
  asked: { filters: InvoiceFilters; cursor: string | null; limit: number },
): Promise<InvoicePage & { total: InvoiceCount }> {
  const { filters, cursor, limit } = asked;
  const options = { isWhole: false, lookedAt: MOST_LOOKED_AT };
  const ways = await waysTo(db, { tenant, filters, cursor }, options);
  const page = ways === null ? NOTHING : await pageBy(db, ways, { limit, ...options });
  if (cursor !== null) return { ...page, total: await countInvoices(db, tenant, filters) };
  const { invoices, nextCursor, searchedToMs, pendingSearchedToMs } = page;
  // A first page that is not full has everything found, as far as it was searched.
  const hasAll = nextCursor === null || searchedToMs !== null;
  const total =
    ways === null || hasAll
      ? { count: invoices.length, isMore: searchedToMs !== null || pendingSearchedToMs !== null }
      : await countBy(db, ways, { most: MOST_COUNTED, ...options });
  return { ...page, total };
}
