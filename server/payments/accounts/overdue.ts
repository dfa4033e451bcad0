import type { Pool } from 'pg';
import { planByIndexes } from '../../db/index-plans.ts';
import { inTransaction } from '../../db/pool.ts';
import type { Currency } from '../../lib/money.ts';
import { type AccountFault, readFault } from '../../merchants/account-faults.ts';
import type { Environment } from '../../merchants/types.ts';
import { ACCOUNT_PROVIDERS } from '../providers/account-providers.ts';
import { accountProviderOf } from '../providers/registry.ts';
import { OPEN, sqlList } from '../state.ts';
import { HOLD_MS, LATE_AUTHORISATION_MS, later } from '../timing.ts';
import { isProven } from './accounts.ts';

// Counting stops here; the figure then means "at least".
const COUNT_LIMIT = 1_000;
const EACH_LIMIT = 20;
const ALL_LIMIT = 500;

const PATIENCE_MS = 60_000;
// Recovery asks about a page every ten minutes, and may find its end that late.
const PAGE_PATIENCE_MS = LATE_AUTHORISATION_MS + PATIENCE_MS;

/** A payment at a merchant's account that is open longer than it should be. */
export type OverduePayment = {
  attemptId: string;
  invoiceId: string;
  amountMinor: bigint;
  currency: Currency;
  status: (typeof OPEN)[number];
  createdAtMs: number;
  /** When recovery looks at it next; null where it does not. */
  nextLookAtMs: number | null;
  /** The acquirer's own ids, where it gave any. */
  acquirerIds: string[];
};

/** An account with payments that are open too long, and what its acquirer said last. */
export type OverdueAccount = {
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
  payments: OverduePayment[];
};

// Beside those that have stayed in their state too long: of an acquirer that is down recovery asks
// in vain, and a look whose time has passed is not happening. A hold is not asked about.
const OVERDUE = `
  WITH overdue AS MATERIALIZED (
    SELECT p.account_id, p.id AS attempt_id, p.invoice_id, p.amount_minor, p.currency,
           p.status, p.created_at, p.recover_at, p.authorisation_id, t.payment_number
    FROM payment_attempts p
    JOIN acquirer_accounts a ON a.id = p.account_id
    LEFT JOIN acquirer_transactions t ON t.attempt_id = p.id
    LEFT JOIN unnest($1::text[], $2::timestamptz[]) AS page (provider, begun_before)
      ON page.provider = p.provider
    WHERE p.account_id IS NOT NULL AND p.status IN ${sqlList(OPEN)} AND p.created_at <= $3
      AND (p.recover_at <= $3
        OR a.down_since IS NOT NULL AND t.attempt_id IS NULL
        OR CASE WHEN p.status = 'challenge' THEN p.created_at <= page.begun_before
                WHEN p.status = 'capturing' AND t.attempt_id IS NOT NULL THEN p.created_at <= $4
                ELSE p.updated_at <= $3 OR p.created_at <= page.begun_before END)
    LIMIT ${COUNT_LIMIT})`;

/** The latest beginning of an overdue payment, by what is waited for: the values of `OVERDUE`. */
function limits(now: Date): unknown[] {
  const providers = Object.entries(ACCOUNT_PROVIDERS);
  return [
    providers.map(([name]) => name),
    providers.map(([, { traits }]) => later(now, -traits.pageLifeMs - PAGE_PATIENCE_MS)),
    later(now, -PATIENCE_MS),
    later(now, -HOLD_MS - PATIENCE_MS),
  ];
}

type Row = {
  account_id: string;
  attempt_id: string;
  invoice_id: string;
  amount_minor: string;
  currency: Currency;
  status: OverduePayment['status'];
  created_at: Date;
  recover_at: Date | null;
  authorisation_id: string | null;
  payment_number: string | null;
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

const LIST = `${OVERDUE}, ranked AS (
    SELECT *, count(*) OVER account AS count, min(created_at) OVER account AS oldest,
           row_number() OVER (account ORDER BY created_at, attempt_id) AS place
    FROM overdue WINDOW account AS (PARTITION BY account_id)
  )
  SELECT r.account_id, r.attempt_id, r.invoice_id, r.amount_minor::text, r.currency, r.status,
         r.created_at, r.recover_at, r.authorisation_id, r.payment_number, r.count::int, r.oldest,
         a.merchant_id, m.name AS merchant_name, a.environment, a.provider, a.name, a.called_at,
         a.call_fault, a.checked_at, a.check_fault, a.down_since, a.failure
  FROM ranked r JOIN acquirer_accounts a ON a.id = r.account_id
  JOIN merchants m ON m.id = a.merchant_id
  WHERE r.place <= ${EACH_LIMIT}
  ORDER BY r.oldest, r.account_id, r.place LIMIT ${ALL_LIMIT}`;

/** The accounts with payments that are open longer than they should be, the longest first. */
export async function listOverdue(pool: Pool, now: Date): Promise<OverdueAccount[]> {
  const { rows } = await inTransaction(pool, async (db) => {
    await planByIndexes(db);
    return await db.query<Row>({ name: 'overdue_payments', text: LIST, values: limits(now) });
  });
  const accounts = new Map<string, OverdueAccount>();
  for (const row of rows) {
    const account = accounts.get(row.account_id) ?? toAccount(row);
    accounts.set(row.account_id, account);
    account.payments.push(toPayment(row));
  }
  return [...accounts.values()];
}

/** How many payments at merchants' accounts are open longer than they should be. */
export async function countOverdue(
  pool: Pool,
  now: Date,
): Promise<{ count: number; isMore: boolean }> {
  const { rows } = await inTransaction(pool, async (db) => {
    await planByIndexes(db);
    const text = `${OVERDUE} SELECT count(*)::int AS count FROM overdue`;
    return await db.query<{ count: number }>({ name: 'overdue_count', text, values: limits(now) });
  });
  const count = rows[0]?.count ?? 0;
  return { count, isMore: count >= COUNT_LIMIT };
}

function toAccount(row: Row): OverdueAccount {
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
    payments: [],
  };
}

function toPayment(row: Row): OverduePayment {
  const ids = [row.authorisation_id, row.payment_number].filter((id) => id !== null);
  return {
    attemptId: row.attempt_id,
    invoiceId: row.invoice_id,
    amountMinor: BigInt(row.amount_minor),
    currency: row.currency,
    status: row.status,
    createdAtMs: row.created_at.getTime(),
    nextLookAtMs: row.recover_at?.getTime() ?? null,
    acquirerIds: [...new Set(ids)],
  };
}
