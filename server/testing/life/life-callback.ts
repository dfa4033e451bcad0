import assert from 'node:assert/strict';
import { claimDue } from '../../callbacks/queue/claim.ts';
import { attempt } from '../../callbacks/queue/deliver.ts';
import { resendCallback, resendFailedSince } from '../../callbacks/resend.ts';
import { deliverOnce } from '../callbacks.ts';
import { type CallbackModel, type Model, nowOf, type Real } from './life-model.ts';

// The schedule that merchants are promised, with half of the jitter's tenth, which the lanes draw.
const PAUSES_MS = [5, 30, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400].map(
  (seconds) => seconds * 1_050,
);
const LEASE_MS = 30_000;
const OPERATOR = { type: 'operator', id: null, label: 'model' } as const;

export type Delivery = 'healthy' | 'failing' | 'dies before sending' | 'dies after sending';

/** It exists as soon as the status is final. */
function callbackOf(model: Model): CallbackModel | null {
  if (model.status === 'PENDING') return null;
  model.callback ??= {
    state: 'pending',
    attempts: 0,
    steps: 0,
    isResend: false,
    hasFailed: false,
    dueMs: Number.NEGATIVE_INFINITY,
    heldUntilMs: Number.NEGATIVE_INFINITY,
  };
  return model.callback;
}

const isPendingAt = (callback: CallbackModel, nowMs: number) =>
  callback.state === 'pending' && callback.heldUntilMs <= nowMs;

function recorded(callback: CallbackModel, how: 'healthy' | 'failing', nowMs: number): void {
  callback.attempts += 1;
  if (!callback.isResend) callback.steps += 1;
  const pauseMs = PAUSES_MS[Math.max(callback.steps, 1) - 1];
  if (how === 'healthy') callback.state = 'delivered';
  else if (pauseMs === undefined) callback.state = 'exhausted';
  else callback.dueMs = nowMs + pauseMs;
  if (how === 'failing') callback.hasFailed = true;
  callback.isResend = false;
}

/** A driver runs: the merchant is notified if that is due, and otherwise not. */
export async function deliver(how: Delivery, model: Model, real: Real): Promise<void> {
  const { lane } = real;
  const { nowMs } = lane.clock;
  lane.receiver.healthy = how !== 'failing';
  const callback = callbackOf(model);
  const isDue = callback !== null && isPendingAt(callback, nowMs) && callback.dueMs <= nowMs;
  const before = lane.receiver.received.length;
  const options = { now: nowOf(real), limit: 100 };
  if (how === 'healthy' || how === 'failing') {
    await deliverOnce(lane.delivery, options);
    if (isDue) recorded(callback, how, nowMs);
  } else {
    const claimed = await claimDue(lane.database.pool, options);
    if (how === 'dies after sending') {
      await Promise.all(claimed.map((each) => attempt(lane.delivery, each)));
    }
    if (isDue) callback.heldUntilMs = nowMs + LEASE_MS;
  }
  const told = isDue && how !== 'dies before sending' ? 1 : 0;
  assert.equal(lane.receiver.received.length - before, told, `told when due: ${isDue}`);
  await assertCallback(model, real);
}

/** The merchant's server stays down until the last attempt is over. */
export async function useUp(model: Model, real: Real): Promise<void> {
  const callback = callbackOf(model);
  while (callback?.state === 'pending') {
    const { clock } = real.lane;
    clock.nowMs = Math.max(clock.nowMs, callback.dueMs, callback.heldUntilMs);
    await deliver('failing', model, real);
  }
}

function queued(callback: CallbackModel, nowMs: number): void {
  callback.state = 'pending';
  callback.isResend = true;
  callback.dueMs = nowMs;
}

/** Staff ask for one more attempt. */
export async function resend(model: Model, real: Real): Promise<void> {
  const { clock, database } = real.lane;
  const callback = callbackOf(model);
  const outcome = await resendCallback(database.pool, real.tenant, real.invoiceId, {
    actor: OPERATOR,
    now: nowOf(real),
  });
  if (callback === null) {
    assert.equal(outcome, 'not_found');
  } else if (callback.state === 'pending' && callback.heldUntilMs > clock.nowMs) {
    assert.equal(outcome, 'in_flight');
  } else {
    assert.equal(outcome, 'queued');
    const isFirst = callback.state === 'pending' && callback.attempts === 0;
    // The callback keeps its place.
    if (!isFirst || callback.dueMs > clock.nowMs) queued(callback, clock.nowMs);
  }
}

/** Staff ask for one more attempt for all callbacks that failed and were not delivered since. */
export async function resendAll(model: Model, real: Real): Promise<void> {
  const { clock, database } = real.lane;
  const callback = callbackOf(model);
  const isMeant =
    callback?.hasFailed === true &&
    callback.state !== 'delivered' &&
    (callback.state === 'exhausted' || callback.heldUntilMs <= clock.nowMs);
  const resent = await resendFailedSince(database.pool, real.tenant, {
    since: new Date(0),
    actor: OPERATOR,
    now: nowOf(real),
  });
  assert.deepEqual(resent, { queued: isMeant ? 1 : 0 });
  if (isMeant) queued(callback, clock.nowMs);
}

async function assertCallback(model: Model, real: Real): Promise<void> {
  const { callback } = model;
  if (callback === null) return;
  const { rows } = await real.lane.database.pool.query(
    `SELECT state::text, attempt_count AS attempts, attempt_count - extra_attempts AS steps,
            next_attempt_at AS due
     FROM callbacks WHERE invoice_id = $1`,
    [real.invoiceId],
  );
  const { state, attempts, steps, dueMs } = callback;
  const isTimed = state === 'pending' && Number.isFinite(dueMs);
  const due = isTimed ? new Date(dueMs) : rows[0]?.due;
  assert.deepEqual(rows, [{ state, attempts, steps, due }]);
}
