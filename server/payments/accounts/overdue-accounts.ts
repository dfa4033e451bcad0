import type { Pool } from 'pg';
import { planByIndexes } from '../../db/index-plans.ts';
import { inTransaction } from '../../db/pool.ts';
import type { Currency } from '../../lib/money.ts';
import { type AccountFault, readFault } from '../../merchants/account-faults.ts';
import type { Environment } from '../../merchants/types.ts';
import { accountProviderOf } from '../providers/registry.ts';
import { isProven } from './accounts.ts';

// Counting stops here; the figure then means "at least".
export const COUNT_LIMIT = 1_000;
const EACH_LIMIT = 20;
const ALL_LIMIT = 500;

/** A payment or refund at a merchant's account that is open longer than it should be. */
export type OverdueItem = {
  id: string;
  invoiceId: string;
  amountMinor: bigint;
  currency: Currency;
  createdAtMs: number;
  /** When recovery looks at it next; null where it does not. */
  nextLookAtMs: number | null;
  /** The acquirer's own ids, where it gave any. */
  acquirerIds: string[];
};

/** An account with payments or refunds that are open too long, and what its acquirer said last. */
export type OverdueAccount<Item extends OverdueItem> = {
  id: string;
  merchantId: string;
  merchantName: string;
  environment: Environment;
  provider: string;
  /** The acquirer's name. */
  title: string;
  /** As buyers read it. */
  name: string;
  calledAtMs: number | null;
  callFault: AccountFault | null;
  checkedAtMs: number | null;
  checkFault: AccountFault | null;
  /** Whether it is known to work. */
  isProven: boolean;
  /** Since when the acquirer is down, and our last call that failed; null when it is not. */
  downSinceMs: number | null;
  failure: string | null;
  count: number;
  oldestAtMs: number;
  /** The oldest of them, at most 20. */
  items: Item[];
};

/**
 * What is overdue: a `WITH` whose `overdue` has `account_id`, `item_id`, `invoice_id`,
 * `amount_minor`, `currency`, `created_at`, `recover_at`, `acquirer_ids` and one column of its own.
 */
export type OverdueQuery = { name: string; text: string; own: string; values: unknown[] };

type Row = {
  account_id: string;
  item_id: string;
  invoice_id: string;
  amount_minor: string;
  currency: Currency;
  created_at: Date;
  recover_at: Date | null;
  acquirer_ids: string[];
  count: number;
  oldest: Date;
  merchant_id: string;
  merchant_name: string;
  environment: Environment;
  provider: string;
  name: string;
  called_at: Date | null;
  call_fault: string | null;
  checked_at: Date | null;
  check_fault: string | null;
  down_since: Date | null;
  failure: string | null;
};

const listOf = ({ text, own }: OverdueQuery): string => `${text}, ranked AS (
    SELECT *, count(*) OVER account AS count, min(created_at) OVER account AS oldest,
           row_number() OVER (account ORDER BY created_at, item_id) AS place
    FROM overdue WINDOW account AS (PARTITION BY account_id)
  )
  SELECT r.account_id, r.item_id, r.invoice_id, r.amount_minor::text, r.currency, r.created_at,
         r.recover_at, r.acquirer_ids, r.${own}, r.count::int, r.oldest,
         a.merchant_id, m.name AS merchant_name, a.environment, a.provider, a.name, a.called_at,
         a.call_fault, a.checked_at, a.check_fault, a.down_since, a.failure
  FROM ranked r JOIN acquirer_accounts a ON a.id = r.account_id
  JOIN merchants m ON m.id = a.merchant_id
  WHERE r.place <= ${EACH_LIMIT}
  ORDER BY r.oldest, r.account_id, r.place LIMIT ${ALL_LIMIT}`;

/** The accounts of what is overdue, the longest first, each with its oldest. */
export async function listByAccount<Own, Item extends OverdueItem>(
  pool: Pool,
  query: OverdueQuery,
  toItem: (item: OverdueItem, own: Own) => Item,
): Promise<OverdueAccount<Item>[]> {
  const { rows } = await inTransaction(pool, async (db) => {
    await planByIndexes(db);
    const { name, values } = query;
    return await db.query<Row & Own>({ name: `${name}_list`, text: listOf(query), values });
  });
  const accounts = new Map<string, OverdueAccount<Item>>();
  for (const row of rows) {
    const account = accounts.get(row.account_id) ?? { ...toAccount(row), items: [] };
    accounts.set(row.account_id, account);
    account.items.push(toItem(itemOf(row), row));
  }
  return [...accounts.values()];
}

/** How many are overdue. */
export async function countOverdueOf(
  pool: Pool,
  { name, text: overdue, values }: OverdueQuery,
): Promise<{ count: number; isMore: boolean }> {
  const { rows } = await inTransaction(pool, async (db) => {
    await planByIndexes(db);
    const text = `${overdue} SELECT count(*)::int AS count FROM overdue`;
    return await db.query<{ count: number }>({ name: `${name}_count`, text, values });
  });
  const count = rows[0]?.count ?? 0;
  return { count, isMore: count >= COUNT_LIMIT };
}

function toAccount(row: Row): Omit<OverdueAccount<never>, 'items'> {
  const seen = {
    provider: row.provider,
    calledAtMs: row.called_at?.getTime() ?? null,
    callFault: row.call_fault === null ? null : readFault(row.call_fault),
    checkedAtMs: row.checked_at?.getTime() ?? null,
    checkFault: row.check_fault === null ? null : readFault(row.check_fault),
  };
  return {
    ...seen,
    isProven: isProven(seen),
    id: row.account_id,
    merchantId: row.merchant_id,
    merchantName: row.merchant_name,
    environment: row.environment,
    title: accountProviderOf(row.provider)?.traits.title ?? row.provider,
    name: row.name,
    downSinceMs: row.down_since?.getTime() ?? null,
    failure: row.failure,
    count: row.count,
    oldestAtMs: row.oldest.getTime(),
  };
}

const itemOf = (row: Row): OverdueItem => ({
  id: row.item_id,
  invoiceId: row.invoice_id,
  amountMinor: BigInt(row.amount_minor),
  currency: row.currency,
  createdAtMs: row.created_at.getTime(),
  nextLookAtMs: row.recover_at?.getTime() ?? null,
  acquirerIds: [...new Set(row.acquirer_ids)],
});
