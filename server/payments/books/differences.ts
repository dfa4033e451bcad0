import type { Pool } from 'pg';
import { inTransaction, type Queryable } from '../../db/pool.ts';
import { GatewayError } from '../../lib/errors.ts';
import { newId } from '../../lib/ids.ts';
import type { Currency } from '../../lib/money.ts';
import { type AuditActor, recordAudit } from '../../merchants/audit.ts';
import type { Environment } from '../../merchants/types.ts';
import type { Difference, Side } from './compare.ts';

/** A difference that a comparison found, until somebody settles it or a comparison finds it gone. */
export type BookDifference = Difference & {
  id: string;
  accountId: string;
  accountName: string;
  provider: string;
  merchantId: string;
  merchantName: string;
  environment: Environment;
  foundAtMs: number;
  /** When a comparison found it last. */
  seenAtMs: number;
};

/** Keeps what a comparison found. A settled difference stays settled while its figures do. */
export async function keepDifferences(
  db: Queryable,
  accountId: string,
  differences: readonly Difference[],
  now: Date,
): Promise<void> {
  const rows = differences.map((each) => ({
    id: newId('dif', now.getTime()),
    kind: each.kind,
    what: each.what,
    our_id: each.ourId,
    acquirer_id: each.acquirerId,
    invoice_id: each.invoiceId,
    our_amount_minor: each.ours?.amountMinor.toString() ?? null,
    our_currency: each.ours?.currency ?? null,
    our_state: each.ours?.state ?? null,
    their_amount_minor: each.theirs?.amountMinor.toString() ?? null,
    their_currency: each.theirs?.currency ?? null,
    their_state: each.theirs?.state ?? null,
    at: new Date(each.atMs).toISOString(),
  }));
  await db.query(
    `INSERT INTO book_differences AS d
       (id, account_id, kind, what, our_id, acquirer_id, invoice_id, our_amount_minor, our_currency,
        our_state, their_amount_minor, their_currency, their_state, at, found_at, seen_at)
     SELECT id, $1, kind, what, our_id, acquirer_id, invoice_id, our_amount_minor, our_currency,
            our_state, their_amount_minor, their_currency, their_state, at, $3, $3
     FROM jsonb_to_recordset($2) AS found (
       id text, kind text, what text, our_id text, acquirer_id text, invoice_id text,
       our_amount_minor bigint, our_currency currency, our_state text,
       their_amount_minor bigint, their_currency currency, their_state text, at timestamptz)
     ON CONFLICT (account_id, kind, coalesce(our_id, ''), coalesce(acquirer_id, ''))
       WHERE gone_at IS NULL
     DO UPDATE SET
       seen_at = excluded.seen_at, what = excluded.what,
       our_amount_minor = excluded.our_amount_minor, our_currency = excluded.our_currency,
       our_state = excluded.our_state, their_amount_minor = excluded.their_amount_minor,
       their_currency = excluded.their_currency, their_state = excluded.their_state,
       settled_at = CASE WHEN
         (d.what, d.our_amount_minor, d.our_currency, d.our_state,
          d.their_amount_minor, d.their_currency, d.their_state)
         IS NOT DISTINCT FROM
         (excluded.what, excluded.our_amount_minor, excluded.our_currency, excluded.our_state,
          excluded.their_amount_minor, excluded.their_currency, excluded.their_state)
         THEN d.settled_at END`,
    [accountId, JSON.stringify(rows), now.toISOString()],
  );
}

/** Ends the differences of a compared span that the comparison did not find any more. */
export async function endGone(
  db: Queryable,
  { accountId, fromMs, toMs }: { accountId: string; fromMs: number; toMs: number },
  now: Date,
): Promise<void> {
  await db.query(
    `UPDATE book_differences SET gone_at = $4
     WHERE account_id = $1 AND gone_at IS NULL AND at >= $2 AND at < $3 AND seen_at < $4`,
    [accountId, new Date(fromMs).toISOString(), new Date(toMs).toISOString(), now.toISOString()],
  );
}

/** When the oldest difference of an account began that is not gone, UTC ms; null without one. */
export async function oldestDifferenceMs(db: Queryable, accountId: string): Promise<number | null> {
  const { rows } = await db.query<{ at: Date | null }>(
    'SELECT min(at) AS at FROM book_differences WHERE account_id = $1 AND gone_at IS NULL',
    [accountId],
  );
  return rows[0]?.at?.getTime() ?? null;
}

type Row = {
  id: string;
  account_id: string;
  account_name: string;
  provider: string;
  merchant_id: string;
  merchant_name: string;
  environment: Environment;
  kind: Difference['kind'];
  what: Difference['what'];
  our_id: string | null;
  acquirer_id: string | null;
  invoice_id: string | null;
  our_amount_minor: string | null;
  our_currency: Currency | null;
  our_state: string | null;
  their_amount_minor: string | null;
  their_currency: Currency | null;
  their_state: string | null;
  at: Date;
  found_at: Date;
  seen_at: Date;
};

function sideOf(amount: string | null, currency: Currency | null, state: string | null) {
  if (amount === null || currency === null || state === null) return null;
  return { amountMinor: BigInt(amount), currency, state } satisfies Side;
}

const toDifference = (row: Row): BookDifference => ({
  id: row.id,
  accountId: row.account_id,
  accountName: row.account_name,
  provider: row.provider,
  merchantId: row.merchant_id,
  merchantName: row.merchant_name,
  environment: row.environment,
  kind: row.kind,
  what: row.what,
  ourId: row.our_id,
  acquirerId: row.acquirer_id,
  invoiceId: row.invoice_id,
  ours: sideOf(row.our_amount_minor, row.our_currency, row.our_state),
  theirs: sideOf(row.their_amount_minor, row.their_currency, row.their_state),
  atMs: row.at.getTime(),
  foundAtMs: row.found_at.getTime(),
  seenAtMs: row.seen_at.getTime(),
});

const OPEN = 'd.gone_at IS NULL AND d.settled_at IS NULL';

/**
 * The differences that are neither settled nor gone, the newest first.
 *
 * @param of those of one environment, or null for both; with a merchant, only its own
 */
export async function listDifferences(
  db: Queryable,
  of: { merchantId: string | null; environment: Environment } | null,
  limit: number,
): Promise<BookDifference[]> {
  const { rows } = await db.query<Row>(
    `SELECT d.*, d.our_amount_minor::text, d.their_amount_minor::text, a.name AS account_name,
            a.provider, a.merchant_id, m.name AS merchant_name, a.environment
     FROM book_differences d
     JOIN acquirer_accounts a ON a.id = d.account_id JOIN merchants m ON m.id = a.merchant_id
     WHERE ${OPEN} AND ($1::text IS NULL OR a.merchant_id = $1)
       AND ($2::environment IS NULL OR a.environment = $2::environment)
     ORDER BY d.at DESC, d.id DESC LIMIT $3`,
    [of?.merchantId ?? null, of?.environment ?? null, limit],
  );
  return rows.map(toDifference);
}

/** How many differences wait for a person, and accounts whose comparison fails, by provider. */
export async function countBookTroubles(
  db: Queryable,
): Promise<{ provider: string; differences: number; failing: number }[]> {
  const { rows } = await db.query<{ provider: string; differences: number; failing: number }>(
    `SELECT a.provider, count(a.compare_fault)::int AS failing,
            coalesce(sum(open.differences), 0)::int AS differences
     FROM acquirer_accounts a
     LEFT JOIN (SELECT d.account_id, count(*) AS differences FROM book_differences d
                WHERE ${OPEN} GROUP BY d.account_id) open ON open.account_id = a.id
     GROUP BY a.provider`,
  );
  return rows;
}

/** The longest note, in characters. */
export const MAX_NOTE_LENGTH = 500;

/**
 * A person has looked into a difference: it is shown no more, unless its figures change.
 *
 * @param note what became of it, for the audit log
 * @throws GatewayError `difference_not_found` for another merchant's, or one that is settled or gone
 */
export async function settleDifference(
  pool: Pool,
  tenant: { merchantId: string; environment: Environment },
  { id, note }: { id: string; note: string },
  { actor, now }: { actor: AuditActor; now: Date },
): Promise<void> {
  const { merchantId, environment } = tenant;
  await inTransaction(pool, async (db) => {
    const { rows } = await db.query<{ account_id: string; invoice_id: string | null }>(
      `UPDATE book_differences d SET settled_at = $4, note = $5
       FROM acquirer_accounts a
       WHERE d.id = $1 AND a.id = d.account_id AND a.merchant_id = $2
         AND a.environment = $3::environment AND ${OPEN}
       RETURNING d.account_id, d.invoice_id`,
      [id, merchantId, environment, now.toISOString(), note],
    );
    const [settled] = rows;
    if (!settled) throw new GatewayError('difference_not_found');
    await recordAudit(db, {
      actor,
      now,
      action: 'acquirer.settle_difference',
      merchantId,
      environment,
      target: { type: 'acquirer_account', id: settled.account_id },
      details: { difference: id, invoice: settled.invoice_id, note },
    });
  });
}
