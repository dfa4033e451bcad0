import type { KeyObject } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { tracer } from '../../lib/tracing.ts';
import { metrics } from '../../observability/metrics.ts';
import { KEPT_ANSWER_BYTES, type Sender } from '../http/send.ts';
import type { SigningKeys } from '../http/signing-keys.ts';
import { attemptOutcome, classify } from '../outcome.ts';
import { parseRetryAfterMs, retryDelayMs, stepOf } from '../schedule.ts';
import type { AttemptResult, ClaimedCallback, Observation } from '../types.ts';
import type { AttemptLog } from './attempt-log.ts';
import { attemptSpan, describeAttempt } from './attempt-span.ts';

/** The needs of delivery; tests pass the clock and chance. */
export type DeliveryContext = {
  pool: pg.Pool;
  sender: Sender;
  keys: SigningKeys;
  clock: () => Date;
  /** A number in [0, 1), for the jitter. */
  random: () => number;
  attempts?: Pick<AttemptLog, 'record'>;
  onError: (error: unknown) => void;
};

const PAUSE_MS = 500;

/** The kept part of an answer, without the memory of a long one. */
function beginningOf(body: Buffer): Buffer {
  return body.length > KEPT_ANSWER_BYTES ? Buffer.from(body.subarray(0, KEPT_ANSWER_BYTES)) : body;
}

/** Turns an observation into a result to record. Pure. */
function conclude(
  callback: ClaimedCallback,
  observation: Observation,
  { endedAt, random }: { endedAt: Date; random: number },
): AttemptResult {
  const outcome = classify(observation, callback.kind);
  const retryAfterMs = parseRetryAfterMs(observation.retryAfter, endedAt);
  const delayMs = outcome.delivered
    ? null
    : retryDelayMs(stepOf(callback), { retryAfterMs, random });
  const finalState = outcome.delivered ? 'delivered' : 'exhausted';
  const { body } = observation;
  return {
    id: callback.id,
    invoiceId: callback.invoiceId,
    merchantId: callback.merchantId,
    attemptCountBefore: callback.attemptCount,
    dueAt: callback.dueAt,
    state: delayMs === null ? finalState : 'pending',
    nextAttemptAt: delayMs === null ? endedAt : new Date(endedAt.getTime() + delayMs),
    startedAt: observation.startedAt,
    durationMs: observation.durationMs,
    httpStatus: observation.httpStatus,
    reason: outcome.delivered ? null : outcome.reason,
    answer: observation.httpStatus === null ? null : beginningOf(body),
    trigger: observation.via ?? callback.trigger,
  };
}

/** A late attempt might outlive its lease; unsent, the callback is claimed again. */
function isTooLate({ sendBeforeMs }: ClaimedCallback): boolean {
  return performance.now() >= sendBeforeMs;
}

/**
 * prepare → send → classify for one claimed row. Never rejects.
 *
 * @returns null when the lease has run short, possibly while its keys were read: then nothing was
 *   sent. Also null, after a pause, when a fault of our own leaves nothing to record
 */
export function attempt(
  context: DeliveryContext,
  callback: ClaimedCallback,
): Promise<AttemptResult | null> {
  if (isTooLate(callback)) return Promise.resolve(null);
  const current = tracer();
  if (current === null) return attemptNow(context, callback);
  return current.run(attemptSpan(callback), async (span) => {
    const result = await attemptNow(context, callback);
    if (result === null) span.drop();
    else describeAttempt(span, callback, result);
    return result;
  });
}

function attemptNow(
  context: DeliveryContext,
  callback: ClaimedCallback,
): Promise<AttemptResult | null> {
  const { merchantId, environment } = callback;
  const kept = context.keys.kept(merchantId, environment, context.clock());
  // Known keys need no wait in most cases; thousands a second pass here.
  return kept ? sendWith(kept, context, callback) : sendWithKeysRead(context, callback);
}

function sendWith(
  keys: readonly KeyObject[],
  context: DeliveryContext,
  callback: ClaimedCallback,
): Promise<AttemptResult | null> {
  return context.sender.send(callback, keys).then(
    (observation) => {
      try {
        return concluded(context, callback, observation);
      } catch (error) {
        return giveUp(context, error);
      }
    },
    (error: unknown) => giveUp(context, error),
  );
}

/** Reports a fault of our own, and pauses before it can recur. */
function giveUp({ onError }: DeliveryContext, error: unknown): Promise<null> {
  onError(error);
  return sleep(PAUSE_MS, null);
}

function concluded(
  { clock, random, attempts }: DeliveryContext,
  callback: ClaimedCallback,
  observation: Observation,
): AttemptResult {
  const endedAt = clock();
  const result = conclude(callback, observation, { endedAt, random: random() });
  attempts?.record(callback, result, endedAt, observation.cause);
  metrics().callbackAttempts[callback.environment][attemptOutcome(callback, result)] += 1;
  return result;
}

async function sendWithKeysRead(
  context: DeliveryContext,
  callback: ClaimedCallback,
): Promise<AttemptResult | null> {
  const { keys, clock, onError } = context;
  while (!isTooLate(callback)) {
    try {
      const read = await keys.keysOf(callback.merchantId, callback.environment, clock());
      return isTooLate(callback) ? null : sendWith(read, context, callback);
    } catch (error) {
      onError(error);
      await sleep(PAUSE_MS);
    }
  }
  return null;
}
