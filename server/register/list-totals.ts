import type pg from 'pg';
import { inTransaction } from '../db/pool.ts';
import { paidOfList } from '../invoices/lists/list.ts';
import type { InvoiceFilters } from '../invoices/lists/list-types.ts';
import type { Currency } from '../lib/money.ts';
import type { Tenant } from '../merchants/types.ts';
import type { RegisterTotal } from './types.ts';

/** The payments that are summed up at most, and the rows of an index that a filter may read for that. */
const OF_A_LIST = { most: 50_000, lookedAt: 50_000 };
/** As many as a list counts: what a search finds is read in several ways. */
const OF_A_SEARCH = { most: 1_000, lookedAt: 5_000 };
// A person who waits longer narrows the list.
const MOST_MS = 5_000;

/** What a list comes to. */
export type ListTotals = {
  totals: RegisterTotal[];
  /** How many payments are summed up. */
  payments: number;
  /** Whether there may be more than these, the newest. */
  isPart: boolean;
};

// Each invoice and each attempt is looked up by its key: a join might read whole tables instead.
const totalsSql = (found: string, most: string): string => `
  WITH found AS MATERIALIZED (${found})
  SELECT i.currency, (SELECT count(*) > ${most} FROM found) AS more, count(*)::int AS payments,
    sum(i.amount_minor)::text AS gross, sum(i.refunded_minor)::text AS refunded,
    coalesce(sum(r.refunds), 0)::int AS refunds, coalesce(sum(p.fee_minor), 0)::text AS fee,
    (count(*) - count(p.fee_minor))::int AS unknown
  FROM (SELECT id FROM found LIMIT ${most}) s
  CROSS JOIN LATERAL (SELECT * FROM invoices WHERE id = s.id LIMIT 1) i
  LEFT JOIN LATERAL (
    SELECT fee_minor FROM payment_attempts WHERE id = i.capture_attempt_id LIMIT 1) p ON true
  LEFT JOIN LATERAL (
    SELECT count(*) AS refunds FROM refunds
    WHERE i.refunded_minor > 0 AND invoice_id = i.id AND status <> 'FAILED') r ON true
  GROUP BY i.currency ORDER BY i.currency`;

type Row = {
  currency: Currency;
  more: boolean;
  payments: number;
  gross: string;
  refunded: string;
  refunds: number;
  fee: string;
  unknown: number;
};

const NOTHING: ListTotals = { totals: [], payments: 0, isPart: false };

type Limits = { most: number; lookedAt: number; mostMs: number };

// SQLSTATE query_canceled.
const OVERDUE = '57014';

/**
 * What the payments of a list come to by currency, with the refunds of them that have not failed, on
 * whatever day: exactly the sums of the list's rows, or of as many of the newest as `isPart` says.
 *
 * @returns null if that takes longer than a person waits
 */
export async function sumList(
  pool: pg.Pool,
  tenant: Tenant,
  filters: InvoiceFilters,
  limits: Partial<Limits> = {},
): Promise<ListTotals | null> {
  try {
    const usual = filters.search.trim() === '' ? OF_A_LIST : OF_A_SEARCH;
    return await sumPaid(pool, tenant, filters, { ...usual, mostMs: MOST_MS, ...limits });
  } catch (error) {
    if ((error as { code?: string }).code === OVERDUE) return null;
    throw error;
  }
}

async function sumPaid(
  pool: pg.Pool,
  tenant: Tenant,
  filters: InvoiceFilters,
  { most, lookedAt, mostMs }: Limits,
): Promise<ListTotals> {
  return await inTransaction(pool, async (db) => {
    // Compiling such a statement takes longer than executing it.
    await db.query(`SET LOCAL statement_timeout = ${mostMs}; SET LOCAL jit = off`);
    const paid = await paidOfList(db, tenant, filters, { lookedAt, most, findsBuyers: true });
    if (paid === null) return NOTHING;
    const values = [...paid.values, most];
    const { rows } = await db.query<Row>(totalsSql(paid.sql, `$${values.length}::int`), values);
    return {
      totals: rows.map(({ more: _, gross, refunded, fee, unknown, ...row }) => ({
        ...row,
        grossMinor: BigInt(gross),
        refundedMinor: BigInt(refunded),
        feeMinor: BigInt(fee),
        feesUnknown: unknown,
        netMinor: BigInt(gross) - BigInt(refunded) - BigInt(fee),
      })),
      payments: rows.reduce((sum, { payments }) => sum + payments, 0),
      isPart: paid.isCut || (rows[0]?.more ?? false),
    };
  });
}
