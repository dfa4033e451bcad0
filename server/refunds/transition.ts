import type { Queryable } from '../db/pool.ts';
import { writeEvents } from '../events/write.ts';
import { newId } from '../lib/ids.ts';
import { enqueueReceiptEmails } from '../receipts/enqueue.ts';
import { REFUND_COLUMNS, type RefundRow, toRefund } from './data.ts';
import { REFUND_STEPS, type RefundStep, sources } from './state.ts';
import type { Refund, RefundActor } from './types.ts';

/** A refund to be written: its payment is the invoice's captured one. */
export type OpenedRefund = {
  invoiceId: string;
  refundTransactionId: string | null;
  amountMinor: bigint;
  reason: string | null;
  /** The acquirer's own id, for one that began there. */
  reference: string | null;
  actor: RefundActor;
  recoverAt: Date;
};

const END_EVENTS = { succeed: 'refund.succeeded', fail: 'refund.failed' } as const;

/** The one place that every new status of a refund passes, in the transaction that wrote it. */
function changed([row]: RefundRow[]): Refund | null {
  return row ? toRefund(row) : null;
}

/**
 * Writes a PENDING refund and reserves its sum in the invoice's row, in one statement: the sum of all
 * that have not failed never exceeds what was captured.
 *
 * The caller has locked the invoice's row, so the refunds of a payment are numbered by time without
 * two at the same time.
 *
 * @returns null when the invoice is not PAID, or less is left of it
 */
export async function openRefund(
  db: Queryable,
  refund: OpenedRefund,
  now: Date,
): Promise<Refund | null> {
  const { rows } = await db.query<RefundRow>({
    name: 'open_refund',
    text: `
      WITH reserved AS (
        UPDATE invoices i SET refunded_minor = i.refunded_minor + $3::bigint
        WHERE i.id = $2 AND i.status = 'PAID' AND i.refunded_minor + $3::bigint <= i.amount_minor
        RETURNING i.id, i.merchant_id, i.environment, i.currency, i.capture_attempt_id
      ), payment AS (
        SELECT reserved.*, p.account_id, greatest($10::timestamptz, (
          SELECT max(created_at) + interval '1 millisecond' FROM refunds WHERE attempt_id = p.id)) AS at
        FROM reserved JOIN payment_attempts p ON p.id = reserved.capture_attempt_id
      ), opened AS (
      INSERT INTO refunds AS r
        (id, merchant_id, environment, invoice_id, attempt_id, account_id, refund_transaction_id,
         amount_minor, currency, status, reason, reference, actor_type, actor_id, request_id,
         created_at, updated_at, recover_at)
      SELECT $1, merchant_id, environment, id, capture_attempt_id, account_id, $4,
             $3::bigint, currency, 'PENDING', $5, $6, $7::actor_type, $8, $9, at, at, $11
      FROM payment
      RETURNING ${REFUND_COLUMNS}), ${writeEvents('refund.created', 'opened', 'refund')}
      SELECT * FROM opened`,
    values: [
      newId('ref', now.getTime()),
      refund.invoiceId,
      refund.amountMinor.toString(),
      refund.refundTransactionId,
      refund.reason,
      refund.reference,
      refund.actor?.type ?? null,
      refund.actor?.id ?? null,
      refund.actor?.requestId ?? null,
      now.toISOString(),
      refund.recoverAt.toISOString(),
    ],
  });
  return changed(rows);
}

const RECEIPT = `, receipt AS (${enqueueReceiptEmails('refund', 'ended', '$2::timestamptz')})`;

const endOf = (step: RefundStep): string => `
  WITH ended AS (
    UPDATE refunds r
    SET status = '${REFUND_STEPS[step].to}', updated_at = greatest($2::timestamptz, r.updated_at),
        reference = coalesce($3, r.reference), failure_reason = $4, recover_at = NULL
    WHERE r.id = $1 AND r.status IN ${sources(step)}
    RETURNING ${REFUND_COLUMNS}
  ), freed AS (
    UPDATE invoices i SET refunded_minor = i.refunded_minor - ended.amount_minor::bigint
    FROM ended WHERE i.id = ended.invoice_id AND ended.status = 'FAILED'
  ), ${writeEvents(END_EVENTS[step], 'ended', 'refund')}
  ${step === 'succeed' ? RECEIPT : ''}
  SELECT * FROM ended`;

/**
 * Ends a refund; a failed one frees its sum in the same statement.
 *
 * @returns null when it has ended before in a way that this step does not change
 */
export async function endRefund(
  db: Queryable,
  refundId: string,
  step: RefundStep,
  { reference, failureReason, now }: EndedRefund,
): Promise<Refund | null> {
  const { rows } = await db.query<RefundRow>({
    name: `refund_${step}`,
    text: endOf(step),
    values: [refundId, now.toISOString(), reference, failureReason],
  });
  return changed(rows);
}

/** What the acquirer told of a refund's end. */
export type EndedRefund = { reference: string | null; failureReason: string | null; now: Date };
