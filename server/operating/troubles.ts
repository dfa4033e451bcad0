import type { Pool } from 'pg';
import { pendingQueues, QUEUE, QUEUES } from '../callbacks/queue/queues.ts';
import { planInOrder } from '../db/index-plans.ts';
import { inTransaction, type Queryable } from '../db/pool.ts';
import type { Environment } from '../merchants/types.ts';
import { listOverdue } from '../payments/accounts/overdue.ts';
import { OPEN } from '../payments/state.ts';
import { listOverdueRefunds } from '../refunds/overdue.ts';
import { listFailedRecoveries, listPendingCaptures, type WaitingPayment } from './backlog.ts';

/** What can be wrong with a merchant, the worst first: money that nobody can say where it is. */
export const TROUBLE_KINDS = [
  'accountDown',
  'paymentsOverdue',
  'recoveryFails',
  'refundsOverdue',
  'captureLate',
  'refundsFailed',
  'booksDiffer',
  'comparisonFails',
  'callbacksFailing',
  'callbacksExhausted',
  'emailsFail',
  'noticesFail',
] as const;
export type TroubleKind = (typeof TROUBLE_KINDS)[number];

/** A trouble of one kind of a merchant's in one environment, or of one of its accounts. */
export type Trouble = {
  kind: TroubleKind;
  environment: Environment;
  merchant: { id: string; name: string };
  /** The account at an acquirer, where the trouble is one's. */
  account: { id: string; name: string } | null;
  count: number;
  /** Whether counting stopped at a limit. */
  isMore: boolean;
  /** Since when: that of the oldest. */
  sinceMs: number;
  /** The invoice of the oldest, where it has one. */
  invoiceId: string | null;
};

type Found = Omit<Trouble, 'merchant' | 'account'> & {
  merchantId: string;
  accountId: string | null;
};

// Counting stops here for a merchant, or for all.
const EACH_LIMIT = 1_000;
const ALL_LIMIT = 20_000;
const CAPTURE_LATE_MS = 24 * 3_600_000;

type Row = {
  merchant_id: string;
  environment: Environment;
  count: number;
  since: Date;
  account_id: string | null;
  invoice_id: string | null;
};

const ACCOUNTS_DOWN = `
  SELECT merchant_id, environment, 1 AS count, down_since AS since, id AS account_id,
         NULL AS invoice_id
  FROM acquirer_accounts
  WHERE down_since IS NOT NULL AND is_enabled AND disconnected_at IS NULL`;

const COMPARISONS_FAILING = `
  SELECT merchant_id, environment, 1 AS count, coalesce(compared_at, created_at) AS since,
         id AS account_id, NULL AS invoice_id
  FROM acquirer_accounts WHERE compare_fault IS NOT NULL AND disconnected_at IS NULL`;

const BOOKS_DIFFER = `
  SELECT a.merchant_id, a.environment, count(*)::int AS count, min(d.found_at) AS since,
         a.id AS account_id, (array_agg(d.invoice_id ORDER BY d.found_at, d.id))[1] AS invoice_id
  FROM book_differences d JOIN acquirer_accounts a ON a.id = d.account_id
  WHERE d.gone_at IS NULL AND d.settled_at IS NULL GROUP BY a.id`;

const GROUPED = `merchant_id, environment, count(*)::int AS count, min(since) AS since,
         NULL AS account_id, (array_agg(invoice_id ORDER BY since, invoice_id))[1] AS invoice_id`;

// $1 a week ago. One that was tried again since then is no trouble, unless that failed as well.
const REFUNDS_FAILED = `
  SELECT ${GROUPED} FROM (
    SELECT merchant_id, environment, invoice_id, attempt_id, created_at, updated_at AS since
    FROM refunds WHERE status = 'FAILED' AND updated_at >= $1::timestamptz
    ORDER BY updated_at DESC LIMIT ${ALL_LIMIT}) r
  WHERE NOT EXISTS (
    SELECT FROM refunds n WHERE n.attempt_id = r.attempt_id AND n.created_at > r.created_at)
  GROUP BY merchant_id, environment`;

// The schedule's second attempt has failed: one lost answer is no trouble.
const CALLBACKS_FAILING = `
  WITH RECURSIVE ${pendingQueues()}
  SELECT ${GROUPED} FROM (
    SELECT c.merchant_id, c.environment, c.invoice_id, c.created_at AS since
    FROM pending_queue p CROSS JOIN LATERAL (
      SELECT * FROM callbacks c
      WHERE c.merchant_id = p.merchant_id AND ${QUEUE} = p.queue AND c.state = 'pending'
      ORDER BY c.next_attempt_at LIMIT ${EACH_LIMIT}) c
    WHERE p.queue <> ${QUEUES.first} AND c.attempt_count - c.extra_attempts >= 2
    LIMIT ${ALL_LIMIT}) failing
  GROUP BY merchant_id, environment`;

// It steps from merchant to merchant with the index callbacks_exhausted.
const CALLBACKS_EXHAUSTED = `
  WITH RECURSIVE exhausted AS (
    (SELECT merchant_id, environment FROM callbacks WHERE state = 'exhausted'
     ORDER BY merchant_id, environment LIMIT 1)
    UNION ALL
    SELECT next.merchant_id, next.environment FROM exhausted e CROSS JOIN LATERAL (
      SELECT merchant_id, environment FROM callbacks
      WHERE state = 'exhausted' AND (merchant_id, environment) > (e.merchant_id, e.environment)
      ORDER BY merchant_id, environment LIMIT 1) next
  )
  SELECT ${GROUPED} FROM (
    SELECT e.merchant_id, e.environment, c.invoice_id, c.created_at AS since
    FROM exhausted e CROSS JOIN LATERAL (
      SELECT invoice_id, created_at FROM callbacks
      WHERE merchant_id = e.merchant_id AND environment = e.environment AND state = 'exhausted'
        AND created_at >= $1::timestamptz
      ORDER BY created_at LIMIT ${EACH_LIMIT}) c) of_week
  GROUP BY merchant_id, environment`;

// A mail server may put off a first attempt.
const FAILING_MESSAGE = 'attempt_count >= 2 AND reason IS NOT NULL';
const messagesOf = (table: string, columns: string) => `
  (SELECT ${columns}, created_at AS since FROM ${table}
   WHERE state = 'waiting' AND ${FAILING_MESSAGE} ORDER BY next_attempt_at LIMIT ${ALL_LIMIT})
  UNION ALL
  (SELECT ${columns}, created_at AS since FROM ${table}
   WHERE state = 'failed' AND ended_at >= $1::timestamptz - interval '1 day'
   ORDER BY ended_at DESC LIMIT ${ALL_LIMIT})`;

const EMAILS_FAILING = `
  SELECT ${GROUPED} FROM (
    SELECT i.merchant_id, i.environment, e.invoice_id, e.since
    FROM (${messagesOf('receipt_emails', 'invoice_id')}) e
    JOIN invoices i ON i.id = e.invoice_id) failing
  GROUP BY merchant_id, environment`;

const NOTICES_FAILING = `
  SELECT ${GROUPED} FROM (
    ${messagesOf('notices', 'merchant_id, environment, NULL AS invoice_id')}) failing
  GROUP BY merchant_id, environment`;

type Sources = [TroubleKind, string, unknown[]][];

function sourcesAt(now: Date): Sources {
  const at = now.toISOString();
  const weekAgo = new Date(now.getTime() - 7 * 24 * 3_600_000).toISOString();
  return [
    ['accountDown', ACCOUNTS_DOWN, []],
    ['refundsFailed', REFUNDS_FAILED, [weekAgo]],
    ['booksDiffer', BOOKS_DIFFER, []],
    ['comparisonFails', COMPARISONS_FAILING, []],
    ['callbacksFailing', CALLBACKS_FAILING, []],
    ['callbacksExhausted', CALLBACKS_EXHAUSTED, [weekAgo]],
    ['emailsFail', EMAILS_FAILING, [at]],
    ['noticesFail', NOTICES_FAILING, [at]],
  ];
}

const toFound = (kind: TroubleKind, row: Row): Found => ({
  kind,
  environment: row.environment,
  merchantId: row.merchant_id,
  accountId: row.account_id,
  count: row.count,
  isMore: row.count >= EACH_LIMIT,
  sinceMs: row.since.getTime(),
  invoiceId: row.invoice_id,
});

/** Payments that wait, by their merchant and environment. */
function byMerchant(kind: TroubleKind, payments: readonly WaitingPayment[]): Found[] {
  const found = new Map<string, Found>();
  for (const { merchantId, environment, invoiceId, sinceMs } of payments) {
    const key = `${merchantId} ${environment}`;
    const known = found.get(key);
    if (!known || sinceMs < known.sinceMs) {
      const count = (known?.count ?? 0) + 1;
      const place = { kind, environment, merchantId, accountId: null };
      found.set(key, { ...place, count, isMore: false, sinceMs, invoiceId });
    } else known.count += 1;
  }
  return [...found.values()];
}

function byAccount(
  kind: TroubleKind,
  accounts: Awaited<ReturnType<typeof listOverdue | typeof listOverdueRefunds>>,
): Found[] {
  return accounts.map(({ id, merchantId, environment, count, oldestAtMs, items }) => ({
    ...{ kind, environment, merchantId, accountId: id, count, isMore: count >= EACH_LIMIT },
    sinceMs: oldestAtMs,
    invoiceId: items[0]?.invoiceId ?? null,
  }));
}

async function namesOf(db: Queryable, table: string, ids: (string | null)[]) {
  const { rows } = await db.query<{ id: string; name: string }>(
    `SELECT id, name FROM ${table} WHERE id = ANY ($1)`,
    [[...new Set(ids.filter((id) => id !== null))]],
  );
  return new Map(rows.map(({ id, name }) => [id, name]));
}

async function named(db: Queryable, found: readonly Found[]): Promise<Trouble[]> {
  const merchants = await namesOf(
    db,
    'merchants',
    found.map(({ merchantId }) => merchantId),
  );
  const accounts = await namesOf(
    db,
    'acquirer_accounts',
    found.map(({ accountId }) => accountId),
  );
  return found.map(({ merchantId, accountId, ...rest }) => ({
    ...rest,
    merchant: { id: merchantId, name: merchants.get(merchantId) ?? merchantId },
    account: accountId === null ? null : { id: accountId, name: accounts.get(accountId) ?? '' },
  }));
}

const isOpen = (status: string): boolean => OPEN.some((each) => each === status);
const rankOf = ({ kind }: Trouble): number => TROUBLE_KINDS.indexOf(kind);

/**
 * Everything that fails now or waits longer than it should, over all merchants: the worst kind
 * first, and of each kind the longest. Nothing here says that all is well.
 */
export async function listTroubles(pool: Pool, now: Date): Promise<Trouble[]> {
  const page = { now, limit: EACH_LIMIT };
  // One after the other: all at once would take connections that the API waits for.
  const found = [
    ...byAccount('paymentsOverdue', await listOverdue(pool, now)),
    ...byAccount('refundsOverdue', await listOverdueRefunds(pool, now)),
  ];
  const isOverdue = ({ accountId, status }: WaitingPayment) => accountId !== null && isOpen(status);
  const failed = await listFailedRecoveries(pool, page);
  const captures = await listPendingCaptures(pool, page);
  const late = captures.filter(({ sinceMs }) => now.getTime() - sinceMs > CAPTURE_LATE_MS);
  // Those at merchants' accounts are among the overdue.
  for (const [kind, payments] of [
    ['recoveryFails', failed],
    ['captureLate', late],
  ] as const) {
    found.push(
      ...byMerchant(
        kind,
        payments.filter((each) => !isOverdue(each)),
      ),
    );
  }
  return await inTransaction(pool, async (db) => {
    await planInOrder(db);
    for (const [kind, text, values] of sourcesAt(now)) {
      const { rows } = await db.query<Row>({ text, values });
      found.push(...rows.map((row) => toFound(kind, row)));
    }
    const troubles = await named(db, found);
    return troubles.sort((a, b) => rankOf(a) - rankOf(b) || a.sinceMs - b.sinceMs);
  });
}

/** The troubles of a kind: the longest of them, and how many more there are. */
export type TroubleGroup = { kind: TroubleKind; troubles: Trouble[]; more: number };

/** The kinds in which money is stuck or at risk. */
const OF_MONEY: readonly TroubleKind[] = TROUBLE_KINDS.slice(0, 8);

/**
 * The merchants with troubles, the worst first: those with more payments, refunds, accounts and
 * differences that are wrong, then those with more callbacks and messages.
 */
export function worstFirst(troubles: readonly Trouble[]): string[] {
  const scores = new Map<string, { money: number; messages: number }>();
  for (const { kind, merchant, count } of troubles) {
    const score = scores.get(merchant.id) ?? { money: 0, messages: 0 };
    score[OF_MONEY.includes(kind) ? 'money' : 'messages'] += count;
    scores.set(merchant.id, score);
  }
  return [...scores]
    .sort(([, a], [, b]) => b.money - a.money || b.messages - a.messages)
    .map(([id]) => id);
}

const SHOWN_OF_A_KIND = 10;

/** One environment's troubles by their kind, the worst kind first. */
export function groupTroubles(
  troubles: readonly Trouble[],
  environment: Environment,
): TroubleGroup[] {
  return TROUBLE_KINDS.flatMap((kind) => {
    const all = troubles.filter((each) => each.kind === kind && each.environment === environment);
    const shown = all.slice(0, SHOWN_OF_A_KIND);
    return all.length === 0 ? [] : [{ kind, troubles: shown, more: all.length - shown.length }];
  });
}

/** Work of the gateway itself that no worker has taken in time; null where there is none. */
export type LateWork = { count: number; isMore: boolean; sinceMs: number } | null;

// Jobs whose time has passed. Each is tried again within minutes where a worker runs.
const LATE_WORK = `
  SELECT count(*)::int AS count, min(due) AS since FROM (
    (SELECT next_attempt_at AS due FROM receipt_emails
     WHERE state = 'waiting' AND next_attempt_at < $1::timestamptz - interval '10 minutes'
     ORDER BY next_attempt_at LIMIT ${EACH_LIMIT})
    UNION ALL
    (SELECT next_attempt_at FROM notices
     WHERE state = 'waiting' AND next_attempt_at < $1::timestamptz - interval '10 minutes'
     ORDER BY next_attempt_at LIMIT ${EACH_LIMIT})
    UNION ALL
    (SELECT due_at FROM register_emails WHERE due_at < $1::timestamptz - interval '15 minutes'
     ORDER BY due_at LIMIT ${EACH_LIMIT})
    UNION ALL
    (SELECT compare_at FROM acquirer_accounts
     WHERE compare_at < $1::timestamptz - interval '1 hour' AND disconnected_at IS NULL
     LIMIT ${EACH_LIMIT})) late`;

/** E-mails, notices, registers and comparisons of books that no worker has taken in time. */
export async function readLateWork(db: Queryable, now: Date): Promise<LateWork> {
  const { rows } = await db.query<{ count: number; since: Date | null }>(LATE_WORK, [
    now.toISOString(),
  ]);
  const { count = 0, since = null } = rows[0] ?? {};
  return since && { count, isMore: count >= EACH_LIMIT, sinceMs: since.getTime() };
}
