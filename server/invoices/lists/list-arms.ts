import { notificationId } from '../../callbacks/enqueue.ts';
import { idBefore } from '../../lib/ids.ts';
import { CURRENCIES } from '../../lib/money.ts';
import type { Tenant } from '../../merchants/types.ts';
import type { InvoiceStatus } from '../types.ts';
import {
  type Add,
  instant,
  type ListOrder,
  orderSql,
  type PlaceColumns,
  placeOf,
  placeSql,
} from './list-order.ts';
import type { InvoiceFilters } from './list-types.ts';

/**
 * One way to find invoices. `source` uses an index in the list's order, so that PostgreSQL stops as
 * soon as the page is full; `rest` holds conditions without an index, and is checked for a bounded
 * number of rows. No filter, however rare its matches, thus reads a merchant's million invoices.
 */
export type Arm = {
  /** Names the column `id`, which is the invoice's, and in an order by payment `paid_at`. */
  source: (add: Add) => string;
  rest: (add: Add) => string[];
  /** The bound of its rows, if lower than the others'. */
  most?: number;
  /** Whether rows beyond the bound must stop the page there. */
  holdsBack: boolean;
};

type Span = { fromMs: number | null; untilMs: number | null };

/** What is looked for: `created` and `paid` are the spans of time that the filters come to. */
export type Scope = {
  tenant: Tenant;
  filters: Omit<InvoiceFilters, 'by' | 'fromMs' | 'untilMs'>;
  created: Span;
  /** Null where payment does not matter. */
  paid: Span | null;
  order: ListOrder;
  cursor: string | null;
};

type Sorting = { isOldestFirst: boolean; isSearch: boolean };

/**
 * The scope of a list. A search finds the newest first in any case, because its indexes end in the
 * id; null if nothing can be in it.
 */
export function scopeOf(
  tenant: Tenant,
  { by, fromMs, untilMs, ...filters }: InvoiceFilters,
  { cursor, isOldestFirst, isSearch }: { cursor: string | null } & Sorting,
): Scope | null {
  const order: ListOrder = isSearch
    ? { by: 'created', isOldestFirst: false }
    : { by, isOldestFirst };
  const common = { tenant, order, cursor };
  const span = { fromMs, untilMs };
  if (by === 'created') return { ...common, filters, created: span, paid: null };
  const { statuses } = filters;
  if (statuses.length > 0 && !statuses.includes('PAID')) return null;
  // Nothing is paid before it is created.
  const created = { fromMs: null, untilMs };
  return { ...common, filters: { ...filters, statuses: ['PAID'] }, created, paid: span };
}

/**
 * The conditions of the scope's span on a column of invoices' ids: these begin with the time of
 * creation, and an index that ends in the id finds a span of time.
 */
export function spanOf(column: string, { created, order, cursor }: Scope, add: Add): string[] {
  const { fromMs, untilMs } = created;
  const span: string[] = [];
  if (fromMs !== null) span.push(`${column} >= ${add(idBefore('inv', fromMs))}::text`);
  if (untilMs !== null) span.push(`${column} < ${add(idBefore('inv', untilMs))}::text`);
  const place = placeOf(order, cursor);
  if (place) span.push(placeSql(order, idColumn(column), { is: 'after', place }, add));
  return span;
}

function paidWithin({ paid }: Scope, add: Add): string[] {
  const span: string[] = [];
  const at = 'i.status_changed_at';
  if (paid?.fromMs != null) span.push(`${at} >= ${instant(paid.fromMs, add)}`);
  if (paid?.untilMs != null) span.push(`${at} < ${instant(paid.untilMs, add)}`);
  return span;
}

/** The conditions of all other filters. */
export function restOf(scope: Scope, add: Add): string[] {
  const { statuses, currency, minAmountMinor, maxAmountMinor, callbackState, linkId } =
    scope.filters;
  const rest: string[] = paidWithin(scope, add);
  if (statuses.length > 0) rest.push(`i.status = ANY(${add(statuses)}::invoice_status[])`);
  if (currency) rest.push(`i.currency = ${add(currency)}::currency`);
  if (minAmountMinor !== null) rest.push(`i.amount_minor >= ${add(minAmountMinor)}::bigint`);
  if (maxAmountMinor !== null) rest.push(`i.amount_minor <= ${add(maxAmountMinor)}::bigint`);
  if (callbackState) {
    // The state is a value, not a join: PostgreSQL looks it up by key and reads no table.
    rest.push(`(SELECT c.state FROM callbacks c WHERE c.id = ${notificationId('i.id')})
      = ${add(callbackState)}::callback_state`);
  }
  if (linkId !== null) {
    rest.push(`(SELECT u.link_id FROM payment_link_uses u WHERE u.invoice_id = i.id)
      = ${add(linkId)}::text`);
  }
  return rest;
}

/** The conditions of the tenant. */
export function ofTenant(table: string, { tenant }: Scope, add: Add): string[] {
  return [
    `${table}.merchant_id = ${add(tenant.merchantId)}::text`,
    `${table}.environment = ${add(tenant.environment)}::environment`,
  ];
}

const idColumn = (id: string): PlaceColumns => ({ id, paidAt: id });
const BY_PAYMENT: PlaceColumns = { id: 'i.id', paidAt: 'i.status_changed_at' };

/** The tenant's invoices by `conditions`, in an order by creation: the scope's own by default. */
export function invoicesBy(
  conditions: string[],
  scope: Scope,
  add: Add,
  order = scope.order,
): string {
  const all = [...ofTenant('i', scope, add), ...spanOf('i.id', scope, add), ...conditions];
  return `SELECT i.id FROM invoices i WHERE ${all.join(' AND ')} ORDER BY ${orderSql(order, BY_PAYMENT)}`;
}

/**
 * The tenant's paid invoices of each currency, in an order by payment: their status is final, and so
 * `status_changed_at` is the time of payment.
 */
export function paidSources(scope: Scope): Arm['source'][] {
  const { order, cursor, filters } = scope;
  return CURRENCIES.filter((each) => (filters.currency ?? each) === each).map(
    (currency) => (add) => {
      // The status and the currency are written out: PostgreSQL otherwise sorts what the index has.
      const all = [
        ...ofTenant('i', scope, add),
        `i.status = 'PAID'`,
        `i.currency = '${currency}'`,
        ...paidWithin(scope, add),
      ];
      const place = placeOf(order, cursor);
      if (place) all.push(placeSql(order, BY_PAYMENT, { is: 'after', place }, add));
      return `SELECT i.id, i.status_changed_at AS paid_at FROM invoices i WHERE ${all.join(' AND ')}
      ORDER BY ${orderSql(order, BY_PAYMENT)}`;
    },
  );
}

function paidArms(scope: Scope): Arm[] {
  const { filters } = scope;
  const narrowed = { ...scope, paid: null, filters: { ...filters, statuses: [], currency: null } };
  return paidSources(scope).map((source) => ({
    source,
    rest: (add) => restOf(narrowed, add),
    holdsBack: true,
  }));
}

// The status is written out, not a parameter: PostgreSQL otherwise does not use the partial index.
const FINAL: Partial<Record<InvoiceStatus, string>> = {
  PAID: `i.status = 'PAID'`,
  EXPIRED: `i.status = 'EXPIRED'`,
  CANCELED: `i.status = 'CANCELED'`,
};

/** The list without a search: by status if an index has it, otherwise by time alone. */
function plainArm(scope: Scope): Arm {
  const { statuses } = scope.filters;
  const [status] = statuses;
  const byIndex = statuses.length === 1 && status ? FINAL[status] : undefined;
  const narrowed = byIndex ? { ...scope, filters: { ...scope.filters, statuses: [] } } : scope;
  return {
    source: (add) => invoicesBy(byIndex ? [byIndex] : [], scope, add),
    rest: (add) => restOf(narrowed, add),
    holdsBack: true,
  };
}

/** Callbacks in a rare state lead to their invoices. */
function callbackArm(scope: Scope): Arm {
  const unasked = { ...scope, filters: { ...scope.filters, callbackState: null } };
  return {
    source: (add) => {
      const state = `c.state = ${add(scope.filters.callbackState)}::callback_state`;
      const its = [state, `c.kind = 'notification'`];
      const all = [...ofTenant('c', scope, add), ...its, ...spanOf('c.invoice_id', scope, add)];
      return `SELECT c.invoice_id AS id FROM callbacks c WHERE ${all.join(' AND ')}
        ORDER BY ${orderSql(scope.order, idColumn('c.invoice_id'))}`;
    },
    rest: (add) => restOf(unasked, add),
    holdsBack: true,
  };
}

/** Invoices that a reusable link of the tenant made. */
export function linkArm(scope: Scope, by: 'id' | 'code', value: string): Arm {
  const unasked = { ...scope, filters: { ...scope.filters, linkId: null } };
  return {
    source: (add) => {
      const link = [`l.${by} = ${add(value)}::text`, ...ofTenant('l', scope, add)];
      const its = `u.link_id = (SELECT l.id FROM payment_links l WHERE ${link.join(' AND ')})`;
      const all = [its, ...spanOf('u.invoice_id', scope, add)];
      return `SELECT u.invoice_id AS id FROM payment_link_uses u WHERE ${all.join(' AND ')}
        ORDER BY ${orderSql(scope.order, idColumn('u.invoice_id'))}`;
    },
    rest: (add) => restOf(by === 'id' ? unasked : scope, add),
    holdsBack: true,
  };
}

/** Invoices with one of the values in the condition's index. */
export function exactArm(condition: (add: Add) => string, scope: Scope): Arm {
  return {
    source: (add) => invoicesBy([condition(add)], scope, add),
    rest: (add) => restOf(scope, add),
    holdsBack: true,
  };
}

/** Invoices with a payment attempt; attempts know no tenant, so the invoice is checked. */
export function attemptArm(condition: (add: Add) => string, scope: Scope): Arm {
  return {
    source: (add) => {
      const all = [condition(add), ...spanOf('p.invoice_id', scope, add)];
      // Several attempts count as one: their number is not the invoices' number.
      return `SELECT DISTINCT p.invoice_id AS id FROM payment_attempts p WHERE ${all.join(' AND ')}
        ORDER BY p.invoice_id DESC`;
    },
    rest: (add) => [...ofTenant('i', scope, add), ...restOf(scope, add)],
    holdsBack: true,
  };
}

/** Invoices of an amount, without the ways to unwanted statuses. */
export function amountArms(
  amountMinor: bigint,
  scope: Scope,
  ofPending: Pick<Arm, 'most' | 'holdsBack'>,
): Arm[] {
  const { statuses } = scope.filters;
  const amount = (add: Add) => `i.amount_minor = ${add(amountMinor)}::bigint`;
  const arms: Arm[] = [];
  if (statuses.length === 0 || statuses.some((status) => status !== 'PENDING')) {
    arms.push(exactArm((add) => `${amount(add)} AND i.status <> 'PENDING'`, scope));
  }
  // A pending invoice has no callback.
  const isPendingAsked = statuses.length === 0 || statuses.includes('PENDING');
  if (isPendingAsked && scope.filters.callbackState === null) {
    // No index has the amounts of pending invoices, because each create would pay for it.
    arms.push({
      source: (add) => invoicesBy([], scope, add),
      rest: (add) => [`i.status = 'PENDING'`, amount(add), ...restOf(scope, add)],
      ...ofPending,
    });
  }
  return arms;
}

/** The ways to the invoices of a list without a search, where callbacks in the wanted state are few. */
export function listArms(scope: Scope, { fewCallbacks }: { fewCallbacks: boolean }): Arm[] {
  if (scope.order.by === 'paid') return paidArms(scope);
  if (scope.filters.linkId !== null) return [linkArm(scope, 'id', scope.filters.linkId)];
  return [fewCallbacks ? callbackArm(scope) : plainArm(scope)];
}
