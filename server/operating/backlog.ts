import type pg from 'pg';
import { callbacksWaitingSince } from '../callbacks/queue/outbox.ts';
import { pendingQueues, QUEUE } from '../callbacks/queue/queues.ts';
import { planInOrder } from '../db/index-plans.ts';
import { inTransaction, type Queryable } from '../db/pool.ts';
import type { Environment } from '../merchants/types.ts';

// Counting stops here; the figure then means "at least".
const COUNT_LIMIT = 10_000;
const MERCHANTS_LIMIT = 1_000;
const EACH_LIMIT = 1_000;
// An outage may leave a million: reading them all would take seconds for each reader.
const ALL_LIMIT = 20_000;

/**
 * The waiting work at a moment, over all merchants. Durations are in milliseconds and cover every
 * merchant. A count stops at its limit; the field with its name and `IsMore` says whether it did.
 */
export type Backlog = {
  /** Callbacks whose attempt is due, including those being sent. */
  callbacksDue: number;
  callbacksDueIsMore: boolean;
  /**
   * How long the oldest due callback has waited for a worker, leaving out those that wait for other
   * requests to their merchant: its server delays them, and no worker would help.
   */
  callbackLagMs: number;
  /** The age of the oldest undelivered callback that is still being tried. */
  oldestUndeliveredMs: number;
  /** The invoice of that callback, for a link. */
  oldestUndelivered: { invoiceId: string; merchantId: string; merchantName: string } | null;
  /** Invoices past their end date that are still PENDING, though no capture holds them. */
  overdueInvoices: number;
  overdueInvoicesIsMore: boolean;
  /** How long the first of them has been overdue. */
  expiryLagMs: number;
  /** Payment attempts due for recovery. */
  recoveriesWaiting: number;
  recoveriesWaitingIsMore: boolean;
};

// It walks like the claim, and each count stops at its limit.
const BACKLOG = `
  WITH RECURSIVE ${pendingQueues()}, due_merchant AS MATERIALIZED (
    SELECT merchant_id, array_agg(queue) AS queues FROM pending_queue
    WHERE next_attempt_at <= $1::timestamptz GROUP BY merchant_id
  ), counted AS MATERIALIZED (
    SELECT d.merchant_id FROM (SELECT * FROM due_merchant LIMIT ${MERCHANTS_LIMIT}) d
    CROSS JOIN LATERAL (
      SELECT FROM unnest(d.queues) AS q(queue)
      CROSS JOIN LATERAL (
        SELECT FROM callbacks c
        WHERE c.merchant_id = d.merchant_id AND ${QUEUE} = q.queue AND c.state = 'pending'
          AND c.next_attempt_at <= $1::timestamptz
        ORDER BY c.next_attempt_at) each
      LIMIT ${EACH_LIMIT}) due
    LIMIT ${ALL_LIMIT}
  ), due AS (
    SELECT (SELECT count(*) FROM counted) AS count,
           count(*) > ${MERCHANTS_LIMIT}
             OR (SELECT count(*) FROM counted) >= ${ALL_LIMIT}
             OR EXISTS (SELECT FROM counted GROUP BY merchant_id HAVING count(*) >= ${EACH_LIMIT}) AS is_more
    FROM due_merchant
  ), oldest AS (
    SELECT c.invoice_id, c.merchant_id, c.created_at
    FROM (SELECT DISTINCT merchant_id FROM pending_queue) p CROSS JOIN LATERAL (
      SELECT o.* FROM unnest('{sandbox,production}'::environment[]) AS e(environment)
      CROSS JOIN LATERAL (
        SELECT invoice_id, merchant_id, created_at FROM callbacks
        WHERE merchant_id = p.merchant_id AND environment = e.environment AND state = 'pending'
        ORDER BY created_at LIMIT 1) o) c
    ORDER BY c.created_at LIMIT 1
  ), overdue AS (
    SELECT count(*) AS count, min(end_date) AS since FROM (
      SELECT end_date FROM invoices
      WHERE status = 'PENDING' AND end_date < $1::timestamptz AND capture_attempt_id IS NULL
      ORDER BY end_date LIMIT ${COUNT_LIMIT}) o
  ), recovery AS (
    SELECT count(*) AS count FROM (
      SELECT FROM payment_attempts WHERE recover_at <= $1::timestamptz LIMIT ${COUNT_LIMIT}) r
  )
  SELECT due.count::int AS "callbacksDue", due.is_more AS "callbacksDueIsMore",
         oldest.invoice_id AS "invoiceId", oldest.merchant_id AS "merchantId",
         oldest.created_at AS "undeliveredSince", m.name AS "merchantName",
         overdue.count::int AS "overdueInvoices", overdue.since AS "overdueSince",
         recovery.count::int AS "recoveriesWaiting"
  FROM due CROSS JOIN overdue CROSS JOIN recovery
  LEFT JOIN oldest ON true LEFT JOIN merchants m ON m.id = oldest.merchant_id`;

type Row = {
  callbacksDue: number;
  callbacksDueIsMore: boolean;
  invoiceId: string | null;
  merchantId: string | null;
  merchantName: string | null;
  undeliveredSince: Date | null;
  overdueInvoices: number;
  overdueSince: Date | null;
  recoveriesWaiting: number;
};

/** The current backlog: a few index steps for each merchant, and bounded counts. */
export async function readBacklog(pool: pg.Pool, now: Date): Promise<Backlog> {
  const values = [now.toISOString()];
  const { row, waitingSince } = await inTransaction(pool, async (db) => {
    await planInOrder(db);
    const { rows } = await db.query<Row>({ name: 'operating_backlog', text: BACKLOG, values });
    return { row: rows[0], waitingSince: await callbacksWaitingSince(db, { now }) };
  });
  if (!row) throw new Error('the backlog has no row');
  const ageMs = (since: Date | null) =>
    since === null ? 0 : Math.max(0, now.getTime() - since.getTime());
  const { invoiceId, merchantId, merchantName } = row;
  return {
    callbacksDue: row.callbacksDue,
    callbacksDueIsMore: row.callbacksDueIsMore,
    callbackLagMs: ageMs(waitingSince),
    oldestUndeliveredMs: ageMs(row.undeliveredSince),
    oldestUndelivered:
      invoiceId === null || merchantId === null
        ? null
        : { invoiceId, merchantId, merchantName: merchantName ?? merchantId },
    overdueInvoices: row.overdueInvoices,
    overdueInvoicesIsMore: row.overdueInvoices >= COUNT_LIMIT,
    expiryLagMs: ageMs(row.overdueSince),
    recoveriesWaiting: row.recoveriesWaiting,
    recoveriesWaitingIsMore: row.recoveriesWaiting >= COUNT_LIMIT,
  };
}

/** A payment that waits for its acquirer, and since when. */
export type WaitingPayment = {
  attemptId: string;
  invoiceId: string;
  merchantId: string;
  merchantName: string;
  environment: Environment;
  /** The merchant's account at the acquirer; null for the sandbox's own card form. */
  accountId: string | null;
  status: string;
  sinceMs: number;
};

const PAYMENT = `
  SELECT p.id AS "attemptId", p.invoice_id AS "invoiceId", i.merchant_id AS "merchantId",
         m.name AS "merchantName", i.environment, p.account_id AS "accountId", p.status`;
const OF_MERCHANTS =
  'JOIN invoices i ON i.id = p.invoice_id JOIN merchants m ON m.id = i.merchant_id';

// Recovery settles a payment within a minute. A challenge may stay open for 15 minutes, and a
// failed or abandoned one is checked once more after ten. A payment whose acquirer does not answer
// is checked every half minute. A hold, and a payment at the page of a merchant's account, are left
// alone for ten minutes: payments/accounts/overdue.ts judges those.
const FAILED = `${PAYMENT}, p.updated_at AS since
  FROM payment_attempts p ${OF_MERCHANTS}
  WHERE p.recover_at <= $1::timestamptz + interval '45 seconds'
    AND p.updated_at < $1::timestamptz - CASE p.status
      WHEN 'challenge' THEN interval '17 minutes'
      WHEN 'failed' THEN interval '12 minutes' WHEN 'abandoned' THEN interval '12 minutes'
      ELSE interval '2 minutes' END
    AND (p.account_id IS NULL OR p.status <> 'challenge'
      AND NOT EXISTS (SELECT FROM acquirer_transactions t WHERE t.attempt_id = p.id))
    AND ($3::environment IS NULL OR i.environment = $3::environment)
  ORDER BY p.recover_at LIMIT $2::int`;

// Each answer is recorded, so these are not among the above; most captures take minutes at most.
const PENDING_CAPTURES = `${PAYMENT}, p.created_at AS since
  FROM payment_attempts p ${OF_MERCHANTS}
  WHERE p.status = 'capturing' AND p.created_at <= $1::timestamptz - interval '1 hour'
    AND p.updated_at >= $1::timestamptz - interval '2 minutes'
    AND ($3::environment IS NULL OR i.environment = $3::environment)
  ORDER BY p.created_at LIMIT $2::int`;

/** Those of one environment, or of both. */
type Page = { now: Date; limit: number; environment?: Environment };

async function listWaiting(
  db: Queryable,
  text: string,
  { now, limit, environment }: Page,
): Promise<WaitingPayment[]> {
  const { rows } = await db.query<Omit<WaitingPayment, 'sinceMs'> & { since: Date }>(text, [
    now.toISOString(),
    limit,
    environment ?? null,
  ]);
  return rows.map(({ since, ...row }) => ({ ...row, sinceMs: since.getTime() }));
}

/**
 * Payments whose recovery keeps failing for longer than it should take: the longest waiting first.
 */
export function listFailedRecoveries(db: Queryable, page: Page): Promise<WaitingPayment[]> {
  return listWaiting(db, FAILED, page);
}

/**
 * Payments at least an hour old whose capture the acquirer has accepted but not carried out, the
 * oldest first. Their invoices can neither end nor be cancelled.
 */
export function listPendingCaptures(db: Queryable, page: Page): Promise<WaitingPayment[]> {
  return listWaiting(db, PENDING_CAPTURES, page);
}
