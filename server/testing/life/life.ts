import assert from 'node:assert/strict';
import type { InvoiceStatus } from '../../invoices/types.ts';
import type { Environment } from '../../merchants/types.ts';
import { recoverPayments } from '../../payments/recover.ts';
import { createTestInvoice } from '../invoices.ts';
import { booksDisagree } from '../payments.ts';
import { deliver, resend } from './life-callback.ts';
import type { Lane } from './life-lane.ts';
import { type Model, nowOf, type Real } from './life-model.ts';
import { finishRefunds } from './life-refunds.ts';

export type Life = { model: Model; real: Real };

export const BUYER = { type: 'buyer' } as const;
export const API = { type: 'api' } as const;
const HOUR_MS = 60 * 60_000;
const CODES: Record<InvoiceStatus, number> = { PENDING: 1, PAID: 2, EXPIRED: 3, CANCELED: 4 };

/** A capture is claimed: cancelling and expiring wait for its outcome. */
export const isCapturing = ({ crash }: Model): boolean =>
  crash === 'claimed' || crash === 'captured' || crash === 'withdrawn';

/** A payment is under way or has died: meanwhile there is no other. */
export const isInProgress = ({ crash, slow }: Model): boolean =>
  crash !== null || slow?.isOver === false;

/** Every read of the invoice does this: a PENDING one past its end date becomes EXPIRED. */
export function look(model: Model, real: Real): void {
  const over = real.lane.clock.nowMs > model.endMs;
  if (model.status === 'PENDING' && over && !isCapturing(model)) model.status = 'EXPIRED';
}

/** Begins a life: a new invoice that lives for an hour. */
export async function startLife(lane: Lane, environment: Environment): Promise<Life> {
  const { tenant } = lane.merchant[environment];
  const endMs = lane.clock.nowMs + HOUR_MS;
  const invoiceId = await createTestInvoice(lane.database.pool, tenant, {
    now: new Date(lane.clock.nowMs),
    endDateMs: endMs,
    callbackUrl: lane.callbackUrl,
  });
  lane.receiver.received = [];
  lane.receiver.healthy = true;
  return {
    model: {
      environment,
      status: 'PENDING',
      endMs,
      challenge: null,
      slow: null,
      crash: null,
      attemptsMs: [],
      lostAttempts: 0,
      callback: null,
      refunds: [],
    },
    real: { lane, tenant, invoiceId, attemptId: null, slow: null },
  };
}

/** Reads the status as the merchant does and compares it. */
export async function assertStatus(model: Model, real: Real): Promise<void> {
  look(model, real);
  const view = await real.lane.invoices.readStatus(
    real.tenant,
    { invoiceId: real.invoiceId },
    { now: nowOf(real) },
  );
  assert.equal(view?.status, model.status);
}

/** A slow acquirer is asked or told: once it has answered, the payment is approved. */
function endSlow(model: Model, nowMs: number): void {
  if (!model.slow || model.slow.isOver || nowMs < model.slow.answersAtMs) return;
  model.slow.isOver = true;
  if (model.status === 'PENDING' && nowMs <= model.endMs) model.status = 'PAID';
}

/** The slow acquirer answers, and the waiting process goes on, first or second. */
export async function answerLate(model: Model, real: Real): Promise<void> {
  if (!model.slow || !real.slow) return;
  const { clock } = real.lane;
  clock.nowMs = Math.max(clock.nowMs, model.slow.answersAtMs);
  real.slow.wake();
  const given = await real.slow.result;
  endSlow(model, clock.nowMs);
  assert.ok(given.outcome === 'attempted');
  assert.equal(given.attempt.status, model.status === 'PAID' ? 'captured' : 'voided');
  model.slow = null;
  real.slow = null;
}

/** Recovery after a crash or a slow acquirer, some time later. */
export async function recover(model: Model, real: Real, afterMs = 60_000): Promise<void> {
  const { clock, database } = real.lane;
  clock.nowMs += afterMs;
  const { failed } = await recoverPayments(database.pool, { clock: () => nowOf(real), limit: 100 });
  assert.equal(failed, 0);
  const inTime = clock.nowMs <= model.endMs;
  const pays =
    (isCapturing(model) && model.crash !== 'withdrawn') || (model.crash === 'authorised' && inTime);
  if (pays && model.status === 'PENDING') model.status = 'PAID';
  model.crash = null;
  endSlow(model, clock.nowMs);
  if (model.challenge && clock.nowMs >= model.challenge.openedAtMs + 15 * 60_000) {
    model.challenge = null;
  }
}

async function assertBooks(model: Model, real: Real): Promise<void> {
  const { pool } = real.lane.database;
  const disagree = await booksDisagree(pool);
  assert.ok(!disagree.includes(real.invoiceId), `the ledger does not agree with ${model.status}`);
  const { rows } = await pool.query(
    `SELECT (SELECT count(*)::int FROM invoice_events WHERE invoice_id = $1) AS changes,
            (SELECT count(*)::int FROM callbacks WHERE invoice_id = $1) AS callbacks`,
    [real.invoiceId],
  );
  assert.deepEqual(rows[0], { changes: 1, callbacks: 1 });
}

/**
 * Ends a life from any state: with one final status, books that agree, and a merchant notified of
 * that status and no other.
 */
export async function finish(model: Model, real: Real): Promise<void> {
  const { lane, invoiceId } = real;
  await recover(model, real);
  await answerLate(model, real);
  await assertStatus(model, real);
  if (model.status === 'PENDING') {
    const { outcome } = await lane.invoices.cancel(real.tenant, invoiceId, {
      actor: API,
      now: nowOf(real),
    });
    assert.equal(outcome, 'canceled');
    model.status = 'CANCELED';
  }
  await assertBooks(model, real);
  await finishRefunds(model, real);

  if (model.callback?.state === 'exhausted') await resend(model, real);
  lane.clock.nowMs += 48 * HOUR_MS;
  await deliver('healthy', model, real);
  const mine = lane.receiver.received.filter((each) => each.invoiceId === invoiceId);
  assert.ok(mine.length > 0, 'the merchant was never told');
  assert.deepEqual(new Set(mine.map(({ status }) => status)), new Set([CODES[model.status]]));
  assert.equal(new Set(mine.map(({ webhookId }) => webhookId)).size, 1);
  assert.equal(model.callback?.state, 'delivered');
}
