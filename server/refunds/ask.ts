import type { Pool } from 'pg';
import { inTransaction, type Queryable } from '../db/pool.ts';
import { NoAnswerError, withTimeout } from '../lib/timeout.ts';
import { log } from '../observability/log.ts';
import { providerOf } from '../payments/context.ts';
import { findAttempt } from '../payments/data.ts';
import type { RefundAnswer, RefundProvider, RefundRequest } from '../payments/provider.ts';
import type { PaymentAttempt } from '../payments/types.ts';
import { findRefund } from './data.ts';
import { nextQuestion, setNextQuestion } from './rechecks.ts';
import { endRefund } from './transition.ts';
import type { Refund } from './types.ts';

/** How long a request or a run waits for an acquirer; the question itself goes on. */
const ANSWER_MS = 8_000;

type PaymentRow = { transaction_id: string; before_minor: string; is_first: boolean };

/**
 * The payment of a refund as its acquirer names it, what was asked back of it before, and whether
 * all of that has ended. A payment from before its id was kept apart has it in the callback's data.
 */
async function readPayment(db: Queryable, refundId: string): Promise<PaymentRow> {
  const { rows } = await db.query<PaymentRow>({
    name: 'payment_of_refund',
    text: `
      SELECT coalesce(p.transaction_id, i.extra_data::json->>'transaction_id',
                      p.authorisation_id) AS transaction_id,
             earlier.sum::text AS before_minor, earlier.is_first
      FROM refunds r JOIN payment_attempts p ON p.id = r.attempt_id
      JOIN invoices i ON i.id = r.invoice_id
      CROSS JOIN LATERAL (
        SELECT coalesce(sum(e.amount_minor) FILTER (WHERE e.status <> 'FAILED'), 0) AS sum,
               count(*) FILTER (WHERE e.status = 'PENDING') = 0 AS is_first
        FROM refunds e WHERE e.attempt_id = r.attempt_id AND e.created_at < r.created_at) earlier
      WHERE r.id = $1`,
    values: [refundId],
  });
  const [row] = rows;
  if (!row?.transaction_id) throw new Error(`the payment of ${refundId} has no id`);
  return row;
}

function requestOf(
  refund: Refund,
  attempt: PaymentAttempt,
  { transaction_id: transactionId, before_minor: beforeMinor }: PaymentRow,
): RefundRequest {
  return {
    refundId: refund.id,
    payment: { ...attempt, transactionId },
    amountMinor: refund.amountMinor,
    refundedBeforeMinor: BigInt(beforeMinor),
    reason: refund.reason,
    reference: refund.reference,
    createdAtMs: refund.createdAtMs,
  };
}

const OPEN: RefundAnswer = { state: 'pending', reference: null, failureReason: null };

/**
 * Asks for a refund. One that was asked for before is asked about first; one that began at the
 * acquirer is only asked about.
 */
async function askFor(
  refunds: RefundProvider,
  request: RefundRequest,
  { isNew, isOurs, now }: { isNew: boolean; isOurs: boolean; now: Date },
): Promise<RefundAnswer> {
  if (!isNew) {
    const answer = await refunds.lookupRefund(request, now);
    if (answer.state !== 'unknown') return answer;
  }
  return isOurs ? await refunds.refund(request, now) : OPEN;
}

/** A refund stays open: the acquirer is asked again in its time. */
async function keepOpen(
  db: Queryable,
  refund: Refund,
  { reference, now }: { reference: string | null; now: Date },
): Promise<void> {
  const at = nextQuestion(refund, now);
  const { id: refundId } = refund;
  if (at === null) log().error({ refundId }, 'a refund has stayed open for thirty days');
  await setNextQuestion(db, refundId, { reference, at });
}

/** Takes the acquirer's answer in. A later word on a refund that has ended may still fail it. */
export async function takeAnswer(
  pool: Pool,
  refund: Refund,
  { state, reference, failureReason }: RefundAnswer,
  now: Date,
): Promise<void> {
  if (state === 'pending') {
    await keepOpen(pool, refund, { reference, now });
    return;
  }
  const step = state === 'succeeded' ? 'succeed' : 'fail';
  const end = { reference, failureReason, now };
  await inTransaction(pool, (db) => endRefund(db, refund.id, step, end));
}

type Options = {
  clock: () => Date;
  /** Whether nobody can have asked for it before. */
  isNew: boolean;
};

async function ask(pool: Pool, refundId: string, { clock, isNew }: Options): Promise<void> {
  const refund = await findRefund(pool, refundId);
  if (refund?.status !== 'PENDING') return;
  try {
    const attempt = await findAttempt(pool, refund.attemptId);
    if (!attempt) throw new Error(`the payment of ${refundId} is gone`);
    const { refunds, name } = await providerOf(pool, attempt, clock);
    if (!refunds) throw new Error(`${name} takes no refunds`);
    const payment = await readPayment(pool, refundId);
    const isOurs = refund.refundTransactionId !== null;
    const waits = refunds.isSerial === true && !payment.is_first;
    const request = requestOf(refund, attempt, payment);
    const answer = waits ? OPEN : await askFor(refunds, request, { isNew, isOurs, now: clock() });
    await takeAnswer(pool, refund, answer, clock());
  } catch (error) {
    await keepOpen(pool, refund, { reference: null, now: clock() });
    throw error;
  }
}

/**
 * Asks the acquirer for a PENDING refund, or what became of it, and takes the answer in.
 *
 * @throws NoAnswerError when that takes longer than `limitMs`: it goes on
 * @throws when the acquirer cannot be asked: the refund stays PENDING and is due again
 */
export async function askAcquirer(
  pool: Pool,
  refundId: string,
  { limitMs = ANSWER_MS, ...options }: Options & { limitMs?: number },
): Promise<void> {
  const asking = ask(pool, refundId, options);
  try {
    await withTimeout(limitMs, asking);
  } catch (error) {
    if (error instanceof NoAnswerError) {
      asking.catch((err) => log().error({ err, refundId }, 'asking about a refund'));
    }
    throw error;
  }
}
