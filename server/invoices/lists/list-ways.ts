import type { Queryable } from '../../db/pool.ts';
import type { Tenant } from '../../merchants/types.ts';
import { epochMs } from '../columns.ts';
import { type Arm, invoicesBy, listArms, type Scope, scopeOf } from './list-arms.ts';
import { type ListOrder, placeholders } from './list-order.ts';
import type { InvoiceFilters } from './list-types.ts';
import { type InvoiceSearch, parseSearch } from './search.ts';
import { searchArms, wordArm } from './search-arms.ts';

/** Callbacks in a state are few, and cheap to sort, up to this multiple of a page's rows. */
const FEW = 4;

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

const FROM_OLDEST: ListOrder = { by: 'created', isOldestFirst: true };

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
       (SELECT ${epochMs('i.created_at')} FROM (${invoicesBy([], scope, add, FROM_OLDEST)} LIMIT 1) s
        JOIN invoices i ON i.id = s.id) AS oldest_ms`,
    values,
  );
  const { newest = null, oldest_ms: fromMs = null } = rows[0] ?? {};
  if (newest === null) return null;
  // The newest itself is within the scope.
  return { ...scope, cursor: `${newest}0`, created: { fromMs, untilMs: null } };
}

/** `wordBoundId`: the search for words gave up there, while other ways may have found older ones. */
export type Ways = { scope: Scope; arms: Arm[]; isSearch: boolean; wordBoundId: string | null };

/** What is asked for, as in `listInvoices`. */
export type Asked = {
  filters: InvoiceFilters;
  cursor: string | null;
  isOldestFirst?: boolean;
  isWhole?: boolean;
  /** Whether buyers' addresses are searched: they are personal data. */
  findsBuyers?: boolean;
};

type Limits = { lookedAt: number; wanted: number };

async function waysOfSearch(
  db: Queryable,
  search: InvoiceSearch,
  asked: Scope,
  options: { isWhole: boolean; findsBuyers: boolean; wanted: number },
): Promise<Ways | null> {
  const scope = await withinOwn(db, asked);
  if (scope === null) return null;
  const byWords = await wordArm(db, search, scope, options);
  return {
    scope,
    arms: [...searchArms(search, scope, options), ...(byWords ? [byWords.arm] : [])],
    isSearch: true,
    wordBoundId: byWords?.boundId ?? null,
  };
}

/** The ways to the requested invoices, of which `wanted` are read; null if there are none. */
export async function waysTo(
  db: Queryable,
  tenant: Tenant,
  { filters, cursor, isOldestFirst = false, isWhole = false, findsBuyers = false }: Asked,
  { lookedAt, wanted }: Limits,
): Promise<Ways | null> {
  const search = parseSearch(filters.search);
  const scope = scopeOf(tenant, filters, { cursor, isOldestFirst, isSearch: search !== null });
  if (scope === null) return null;
  if (search) return await waysOfSearch(db, search, scope, { isWhole, findsBuyers, wanted });
  const fewCallbacks = await hasFewCallbacks(db, scope, lookedAt);
  return { scope, arms: listArms(scope, { fewCallbacks }), isSearch: false, wordBoundId: null };
}
