import assert from 'node:assert/strict';
import { inTransaction } from '../../db/pool.ts';
import { listAttempts } from '../../payments/data.ts';
import { SandboxRefunds } from '../../payments/providers/sandbox/sandbox-refunds.ts';
import { listRefunds } from '../../refunds/data.ts';
import { recoverRefunds } from '../../refunds/recover.ts';
import { requestRefund } from '../../refunds/refund.ts';
import { endRefund, openRefund } from '../../refunds/transition.ts';
import type { Refund, RefundStatus } from '../../refunds/types.ts';
import { refundBooksDisagree } from '../refunds.ts';
import { AMOUNT_MINOR, type Model, nowOf, type Real, type RefundModel } from './life-model.ts';

/** The sandbox's reasons; any other refund succeeds at once. */
export const REASONS = [null, null, 'test:fail', 'test:pending'] as const;
type Reason = (typeof REASONS)[number];

/** How far a process got with a refund before it died. */
export const REFUND_DEATHS = ['opened', 'asked'] as const;

const API = { type: 'api' } as const;
const LEASE_MS = 45_000;
const SETTLES_MS = 5_000;

/** What can still be refunded. */
export const leftOf = ({ status, refunds }: Readonly<Model>): bigint =>
  status === 'PAID'
    ? refunds
        .filter((each) => each.status !== 'FAILED')
        .reduce((left, { amountMinor }) => left - amountMinor, AMOUNT_MINOR)
    : 0n;

let serial = 0;

function newRefund(amountMinor: bigint, status: RefundStatus, dueMs: number): RefundModel {
  serial += 1;
  return { transactionId: `model-${serial}`, amountMinor, status, dueMs, wasSuccessful: false };
}

async function request(
  real: Real,
  wanted: { transactionId: string; amountMinor: bigint | null; reason: Reason },
): Promise<Refund | string> {
  const { transactionId: refundTransactionId, ...sum } = wanted;
  const begun = await requestRefund(
    real.lane.database.pool,
    real.tenant,
    { invoiceId: real.invoiceId, refundTransactionId, ...sum },
    { actor: API, audit: null, key: null, clock: () => nowOf(real) },
  );
  if ('isRepeat' in begun) throw new Error('there was no key');
  return 'refund' in begun ? begun.refund : begun.refusal.code;
}

/** The merchant asks for a part, or for all that is left (null). */
export async function refund(
  wish: { amountMinor: bigint | null; reason: Reason },
  model: Model,
  real: Real,
): Promise<void> {
  const left = leftOf(model);
  const amountMinor = wish.amountMinor ?? left;
  const { nowMs } = real.lane.clock;
  const status = wish.reason === 'test:pending' ? 'PENDING' : 'SUCCEEDED';
  const made = newRefund(
    amountMinor,
    wish.reason === 'test:fail' ? 'FAILED' : status,
    nowMs + SETTLES_MS,
  );
  const given = await request(real, { ...wish, transactionId: made.transactionId });
  if (model.status !== 'PAID') return assert.equal(given, 'refund_not_paid');
  if (left === 0n || amountMinor > left) return assert.equal(given, 'refund_too_much');
  assert.ok(typeof given !== 'string', `${given} though ${left} is left`);
  assert.equal(given.amountMinor, amountMinor);
  model.refunds.push({ ...made, wasSuccessful: made.status === 'SUCCEEDED' });
}

/** The merchant asks once more under the same id. */
export async function repeatRefund({ refunds }: Model, real: Real): Promise<void> {
  const { transactionId = '' } = refunds.at(-1) ?? {};
  const given = await request(real, { transactionId, amountMinor: 1n, reason: null });
  assert.equal(given, 'refund_exists');
}

/** A process writes a refund, perhaps asks the acquirer, and dies. */
export async function dieRefunding(
  stage: (typeof REFUND_DEATHS)[number],
  model: Model,
  real: Real,
): Promise<void> {
  const { pool } = real.lane.database;
  const { invoiceId } = real;
  const now = nowOf(real);
  const left = leftOf(model);
  const made = newRefund(left < 300n ? left : 300n, 'PENDING', now.getTime() + LEASE_MS);
  const { transactionId: refundTransactionId, amountMinor, dueMs } = made;
  const opened = await inTransaction(pool, async (db) => {
    await db.query('SELECT FROM invoices WHERE id = $1 FOR NO KEY UPDATE', [invoiceId]);
    const sum = { invoiceId, refundTransactionId, amountMinor, reason: null, reference: null };
    return await openRefund(db, { ...sum, actor: API, recoverAt: new Date(dueMs) }, now);
  });
  assert.ok(opened);
  model.refunds.push(made);
  if (stage === 'opened') return;
  const attempts = await listAttempts(pool, invoiceId);
  const payment = attempts.find(({ status }) => status === 'captured');
  assert.ok(payment?.authorisationId);
  await new SandboxRefunds(pool).refund(
    {
      refundId: opened.id,
      payment: { ...payment, transactionId: payment.authorisationId },
      amountMinor,
      refundedBeforeMinor: 0n,
      reason: null,
      reference: null,
      createdAtMs: opened.createdAtMs,
    },
    now,
  );
}

/** Recovery asks about what is open, some time later. */
export async function recoverRefund(afterMs: number, model: Model, real: Real): Promise<void> {
  const { clock, database } = real.lane;
  clock.nowMs += afterMs;
  const { errors } = await recoverRefunds(database.pool, { clock: () => nowOf(real), limit: 100 });
  assert.deepEqual(errors, []);
  for (const each of model.refunds) {
    if (each.status !== 'PENDING' || each.dueMs > clock.nowMs) continue;
    each.status = 'SUCCEEDED';
    each.wasSuccessful = true;
  }
}

/** Days later the buyer's bank sends a refund back; twice told, it changes nothing more. */
export async function failRefundLate(model: Model, real: Real): Promise<void> {
  const { pool } = real.lane.database;
  const found = await listRefunds(pool, real.tenant, real.invoiceId);
  const at = model.refunds.findIndex(({ status }) => status === 'SUCCEEDED');
  const { id = '' } = found?.refunds[at] ?? {};
  const end = { reference: null, failureReason: 'The account is closed.', now: nowOf(real) };
  assert.equal((await endRefund(pool, id, 'fail', end))?.status, 'FAILED');
  assert.equal(await endRefund(pool, id, 'fail', end), null);
  // The sandbox never does this: what follows makes its books agree.
  await pool.query('DELETE FROM sandbox_ledger_entries WHERE refund_id = $1', [id]);
  const [failed] = model.refunds.slice(at);
  if (failed) failed.status = 'FAILED';
}

/** The refunds are as the model has them, with their sums, and each step of each is told once. */
export async function assertRefunds(model: Model, real: Real): Promise<void> {
  const { pool } = real.lane.database;
  const found = await listRefunds(pool, real.tenant, real.invoiceId);
  assert.deepEqual(
    found?.refunds.map(({ amountMinor, status }) => [amountMinor, status]),
    model.refunds.map(({ amountMinor, status }) => [amountMinor, status]),
  );
  const left = leftOf(model);
  assert.equal(found?.refundableMinor, left);
  assert.equal(found?.refundedMinor, model.status === 'PAID' ? AMOUNT_MINOR - left : 0n);
  const { rows } = await pool.query(
    `SELECT type, count(*)::int AS n FROM events
     WHERE invoice_id = $1 AND type LIKE 'refund.%' GROUP BY 1`,
    [real.invoiceId],
  );
  const told = Object.fromEntries(rows.map(({ type, n }) => [type, n]));
  const count = (which: (each: RefundModel) => boolean) => model.refunds.filter(which).length;
  assert.deepEqual(
    [told['refund.created'] ?? 0, told['refund.succeeded'] ?? 0, told['refund.failed'] ?? 0],
    [model.refunds.length, count((each) => each.wasSuccessful), count(isFailed)],
  );
}

const isFailed = ({ status }: RefundModel) => status === 'FAILED';

/** Every refund ends, and the sandbox's ledger agrees. */
export async function finishRefunds(model: Model, real: Real): Promise<void> {
  await recoverRefund(60_000, model, real);
  assert.ok(model.refunds.every(({ status }) => status !== 'PENDING'));
  await assertRefunds(model, real);
  assert.deepEqual(await refundBooksDisagree(real.lane.database.pool), []);
}
