import type { Pool } from 'pg';
import { inTransaction, type Queryable } from '../../db/pool.ts';
import { GUARDED_END_DATE } from '../../invoices/rows.ts';
import { settleInvoice } from '../../invoices/settle.ts';
import type { Actor } from '../../invoices/types.ts';
import { newId } from '../../lib/ids.ts';
import type { Currency } from '../../lib/money.ts';
import type { AcquirerAccount } from '../../merchants/acquirer-accounts.ts';
import { metrics } from '../../observability/metrics.ts';
import { findAttempt } from '../data.ts';
import { bareSettlement, claimCapture, markCaptured } from '../mutations.ts';
import type { InboundProvider } from '../provider.ts';
import { sources } from '../state.ts';
import { HOLD_MS, later, nextHoldLook, SOON_MS } from '../timing.ts';
import type { DeclineReason, PaymentAttempt } from '../types.ts';
import {
  type AcquirerTransaction,
  findTransaction,
  findTransactionOfAttempt,
} from './acquirer-transactions.ts';

/** A hold that an acquirer asks for. */
export type NewHold = {
  account: Pick<AcquirerAccount, 'id' | 'merchantId' | 'environment' | 'provider'>;
  invoiceId: string;
  acquirerId: string;
  acquirerAtMs: number;
  amountMinor: bigint;
  currency: Currency;
  paymentNumber: string | null;
};

const UNIQUE_VIOLATION = '23505';

const isTaken = (error: unknown): boolean => (error as { code?: string }).code === UNIQUE_VIOLATION;

/**
 * Reserves an invoice for an acquirer that calls us: cancelling, expiry and every other method
 * wait. One statement writes the attempt, its claim on the invoice and the acquirer's transaction,
 * so none of them can exist without the others.
 *
 * @returns the transaction, also for an acquirer's id that was known before; or null, with nothing
 *   written, when the invoice cannot be paid by it now
 */
export async function openHold(
  db: Queryable,
  hold: NewHold,
  now: Date,
): Promise<AcquirerTransaction | null> {
  const { account } = hold;
  try {
    await db.query({
      name: 'open_hold',
      text: `
        WITH payable AS (
          SELECT i.id, i.amount_minor, i.currency FROM invoices i
          WHERE i.id = $2 AND i.merchant_id = $3 AND i.environment = $4::environment
            AND i.status = 'PENDING' AND ${GUARDED_END_DATE} >= $5
            AND i.capture_attempt_id IS NULL AND i.amount_minor = $6 AND i.currency = $7::currency
          FOR NO KEY UPDATE
        ), opened AS (
          INSERT INTO payment_attempts
            (id, invoice_id, status, provider, account_id, authorisation_id, amount_minor, currency,
             created_at, updated_at, recover_at)
          SELECT $1, id, 'capturing', $8, $9, $10, amount_minor, currency, $5, $5, $11 FROM payable
          RETURNING id, invoice_id, amount_minor
        ), claimed AS (
          UPDATE invoices i SET capture_attempt_id = opened.id FROM opened
          WHERE i.id = opened.invoice_id
          RETURNING i.id
        )
        INSERT INTO acquirer_transactions
          (attempt_id, account_id, acquirer_id, invoice_id, amount_minor, state, acquirer_at_ms,
           created_at_ms, payment_number)
        SELECT opened.id, $9, $10, opened.invoice_id, opened.amount_minor, 'created', $12, $13, $14
        FROM opened, claimed`,
      values: [
        newId('pay', now.getTime()),
        hold.invoiceId,
        account.merchantId,
        account.environment,
        now.toISOString(),
        hold.amountMinor.toString(),
        hold.currency,
        account.provider,
        account.id,
        hold.acquirerId,
        nextHoldLook({ createdAtMs: now.getTime() }, now),
        hold.acquirerAtMs,
        now.getTime(),
        hold.paymentNumber,
      ],
    });
  } catch (error) {
    // A concurrent call has the same id, or another transaction is active: that one decides.
    if (!isTaken(error)) throw error;
  }
  return findTransaction(db, account.id, hold.acquirerId);
}

class ClaimLost extends Error {}

/**
 * The acquirer has the money: the transaction is performed, its attempt captured and the invoice
 * PAID, all at once. If the hold had expired, the invoice is claimed anew first.
 *
 * @param options.extraData the callback's data beside the acquirer's own id
 * @returns the transaction afterwards; one that is not `performed` can no longer be paid
 */
export async function performHold(
  db: Pool,
  { attemptId, acquirerId }: Pick<AcquirerTransaction, 'attemptId' | 'acquirerId'>,
  options: { extraData: Record<string, string>; actor: Actor; now: Date },
): Promise<AcquirerTransaction> {
  const { actor, now, extraData } = options;
  try {
    const isPaid = await inTransaction(db, async (client) => {
      const { rowCount } = await client.query({
        name: 'perform_transaction',
        text: `UPDATE acquirer_transactions SET state = 'performed', performed_at_ms = $2
               WHERE attempt_id = $1 AND state = 'created'`,
        values: [attemptId, now.getTime()],
      });
      if (rowCount !== 1) return false;
      const attempt = await findAttempt(client, attemptId);
      if (attempt?.status === 'challenge') {
        const claim = await claimCapture(client, attemptId, acquirerId, now);
        if (claim !== 'capturing') throw new ClaimLost();
      }
      const { invoiceId } = attempt ?? { invoiceId: '' };
      const settlement = bareSettlement(extraData.transaction_id ?? acquirerId);
      const isCaptured = await markCaptured(client, attemptId, settlement, now);
      const isSettled = await settleInvoice(
        client,
        { invoiceId, attemptId, extraData },
        { actor, now },
      );
      // Money that no invoice knows of must be loud, and the acquirer must not keep it.
      if (!isCaptured || !isSettled) throw new Error(`${attemptId} cannot be settled`);
      return true;
    });
    if (isPaid) metrics().payments.inc({ outcome: 'paid' });
  } catch (error) {
    // Another payment has the invoice, or is about to get it.
    if (!(error instanceof ClaimLost) && !isTaken(error)) throw error;
  }
  return transactionOf(db, attemptId);
}

async function transactionOf(db: Queryable, attemptId: string): Promise<AcquirerTransaction> {
  const transaction = await findTransactionOfAttempt(db, attemptId);
  if (!transaction) throw new Error(`the transaction of ${attemptId} is gone`);
  return transaction;
}

/**
 * The acquirer gives a transaction up, or gives performed money back. The first call writes its
 * time and reason; later ones change nothing.
 *
 * @param cancel.reason in the acquirer's own numbers
 * @param cancel.declineReason the reason that the buyer sees for a payment that was given up
 * @param cancel.isToBeAsked whether the acquirer may have kept the money and has to be asked
 * @returns the transaction afterwards: `canceled` or `reversed`
 */
export async function cancelHold(
  db: Pool,
  { attemptId }: Pick<AcquirerTransaction, 'attemptId'>,
  cancel: { reason: number; declineReason: DeclineReason; isToBeAsked?: boolean; now: Date },
): Promise<AcquirerTransaction> {
  const { reason, declineReason, isToBeAsked = false, now } = cancel;
  await inTransaction(db, async (client) => {
    const { rows } = await client.query<{ state: string }>({
      name: 'cancel_transaction',
      text: `UPDATE acquirer_transactions
             SET state = CASE state WHEN 'created' THEN 'canceled' ELSE 'reversed' END,
                 canceled_at_ms = $2, reason = $3
             WHERE attempt_id = $1 AND state IN ('created', 'performed')
             RETURNING state`,
      values: [attemptId, now.getTime(), reason],
    });
    if (rows[0]?.state !== 'canceled') return;
    const recoverAt = isToBeAsked ? later(now, SOON_MS) : null;
    if (!(await dropHold(client, attemptId, { declineReason, recoverAt }, now))) {
      throw new Error(`${attemptId} holds nothing that could be given up`);
    }
    metrics().payments.inc({ outcome: 'declined' });
  });
  return transactionOf(db, attemptId);
}

/** capturing or challenge → declined or abandoned, and the invoice is free again. */
async function dropHold(
  db: Queryable,
  attemptId: string,
  { declineReason, recoverAt }: { declineReason: DeclineReason; recoverAt: string | null },
  now: Date,
): Promise<boolean> {
  const { rows } = await db.query({
    name: 'drop_hold',
    text: `
      WITH attempt AS (
        UPDATE payment_attempts
        SET status = CASE WHEN $2 = 'challenge_abandoned' THEN 'abandoned' ELSE 'declined' END::attempt_status,
            decline_reason = $2, updated_at = $3, recover_at = $4
        WHERE id = $1 AND status IN ${sources('drop')}
        RETURNING id, invoice_id
      ), freed AS (
        UPDATE invoices i SET capture_attempt_id = NULL FROM attempt
        WHERE i.id = attempt.invoice_id AND i.capture_attempt_id = attempt.id AND i.status = 'PENDING')
      SELECT id FROM attempt`,
    values: [attemptId, declineReason, now.toISOString(), recoverAt],
  });
  return rows.length === 1;
}

/**
 * capturing → challenge: the hold has reached its longest duration. The invoice's life goes on, and
 * the acquirer may still perform its transaction while the invoice can be paid.
 */
export async function endHold(db: Queryable, attemptId: string, now: Date): Promise<boolean> {
  const { rows } = await db.query({
    name: 'end_hold',
    text: `
      WITH attempt AS (
        UPDATE payment_attempts SET status = 'challenge', updated_at = $2, recover_at = $4
        WHERE id = $1 AND status IN ${sources('endHold')} AND created_at <= $3
        RETURNING id, invoice_id
      ), freed AS (
        UPDATE invoices i SET capture_attempt_id = NULL FROM attempt
        WHERE i.id = attempt.invoice_id AND i.capture_attempt_id = attempt.id AND i.status = 'PENDING')
      SELECT id FROM attempt`,
    values: [
      attemptId,
      now.toISOString(),
      later(now, -HOLD_MS),
      nextHoldLook({ createdAtMs: 0 }, now),
    ],
  });
  return rows.length === 1;
}

/**
 * Looks after a hold that is due: ends it in its time, and has its provider check the acquirer's
 * transaction.
 */
export async function recoverHold(
  db: Queryable,
  provider: InboundProvider,
  attempt: PaymentAttempt,
  now: Date,
): Promise<void> {
  const isEnded = attempt.status === 'capturing' && (await endHold(db, attempt.id, now));
  if (isEnded) return;
  const outcome = attempt.status === 'capturing' ? 'open' : await provider.lookAfter(attempt);
  const at = outcome === 'open' ? nextHoldLook(attempt, now) : null;
  await db.query({
    name: 'look_at_hold',
    text: 'UPDATE payment_attempts SET recover_at = $2 WHERE id = $1 AND status = $3::attempt_status',
    values: [attempt.id, at, attempt.status],
  });
}
