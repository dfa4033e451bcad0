import type { Pool } from 'pg';
import { inTransaction, type Queryable } from '../db/pool.ts';
import type { SeenRefund } from '../payments/provider.ts';
import { takeAnswer } from './ask.ts';
import { REFUND_COLUMNS, type RefundRow, toRefund } from './data.ts';
import { nextQuestion } from './rechecks.ts';
import { openRefund } from './transition.ts';
import type { Refund } from './types.ts';

/** The refund here that an acquirer told of: by our id, or by the acquirer's. */
async function findSeen(
  db: Queryable,
  accountId: string,
  { refundId, reference }: SeenRefund,
): Promise<Refund | null> {
  const { rows } = await db.query<RefundRow>({
    name: 'seen_refund',
    text: `SELECT ${REFUND_COLUMNS} FROM refunds r
           WHERE r.account_id = $1 AND (r.reference = $2 OR r.id = $3)
           ORDER BY r.reference = $2 DESC NULLS LAST LIMIT 1`,
    values: [accountId, reference, refundId],
  });
  return rows[0] ? toRefund(rows[0]) : null;
}

type PaidRow = { invoice_id: string; is_awaited: boolean };

/**
 * Locks the invoice of an account's captured payment.
 *
 * `is_awaited` tells whether a refund of ours of the same sum still waits for the acquirer's id.
 */
async function lockPaid(
  db: Queryable,
  accountId: string,
  { transactionId, amountMinor }: SeenRefund,
): Promise<PaidRow | null> {
  const values = [accountId, transactionId];
  const { rows: locked } = await db.query<{ id: string; attempt_id: string }>({
    name: 'lock_refunded_invoice',
    text: `SELECT i.id, p.id AS attempt_id
           FROM payment_attempts p JOIN invoices i ON i.capture_attempt_id = p.id AND i.id = p.invoice_id
           WHERE p.account_id = $1 AND p.status = 'captured' AND i.status = 'PAID'
             AND (p.transaction_id = $2 OR p.transaction_id IS NULL AND p.authorisation_id = $2)
           LIMIT 1 FOR NO KEY UPDATE OF i`,
    values,
  });
  const [paid] = locked;
  if (!paid) return null;
  const { rowCount } = await db.query({
    name: 'awaited_refund',
    text: `SELECT FROM refunds WHERE attempt_id = $1 AND status = 'PENDING' AND reference IS NULL
             AND refund_transaction_id IS NOT NULL AND amount_minor = $2`,
    values: [paid.attempt_id, amountMinor.toString()],
  });
  return { invoice_id: paid.id, is_awaited: rowCount !== 0 };
}

/**
 * Writes a refund that began at the acquirer, PENDING at first.
 *
 * @returns null when the payment is not the account's
 * @throws when the refund may be one of ours, or exceeds what is left while another is under way:
 *   the acquirer's next call finds that decided
 */
async function openSeen(
  pool: Pool,
  accountId: string,
  seen: SeenRefund,
  now: Date,
): Promise<Refund | null> {
  return await inTransaction(pool, async (db) => {
    const paid = await lockPaid(db, accountId, seen);
    if (!paid) return null;
    // Another call may have taken it in before this one got the lock.
    const known = await findSeen(db, accountId, seen);
    if (known) return known;
    const { reference, reason, amountMinor } = seen;
    if (paid.is_awaited) throw new Error(`${reference} may be a refund of ours: it is asked about`);
    const recoverAt = nextQuestion({ accountId, createdAtMs: now.getTime() }, now) ?? now;
    const opened = await openRefund(
      db,
      {
        invoiceId: paid.invoice_id,
        refundTransactionId: null,
        amountMinor,
        reason,
        reference,
        actor: null,
        recoverAt,
      },
      now,
    );
    if (!opened) throw new Error(`${reference} exceeds what is left of ${paid.invoice_id}`);
    return opened;
  });
}

/**
 * Takes in a refund that an acquirer told of: the news of one of ours, or one that began there. A
 * repeat changes nothing, and one that is new and has failed moved no money.
 *
 * @returns whether the payment is the account's
 * @throws when it cannot be taken in now: the acquirer has to come again
 */
export async function takeRefund(
  pool: Pool,
  accountId: string,
  seen: SeenRefund,
  clock: () => Date,
): Promise<boolean> {
  const known = await findSeen(pool, accountId, seen);
  if (!known && seen.state === 'failed') return true;
  const refund = known ?? (await openSeen(pool, accountId, seen, clock()));
  if (!refund) return false;
  await takeAnswer(pool, refund, seen, clock());
  return true;
}
