import { createSecretKey, type KeyObject, randomBytes } from 'node:crypto';
import type { WrittenEventType } from '../../events/types.ts';
import type { Tenant } from '../../merchants/types.ts';
import { KEPT_ANSWER_BYTES, type Sender } from '../http/send.ts';
import { messageId } from '../http/sign.ts';
import type { SigningKeys } from '../http/signing-keys.ts';
import { bodyFault, classify } from '../outcome.ts';
import type { BodyFault, CallbackKind, Observation, SendFailure } from '../types.ts';
import {
  makeSample,
  makeSampleEvent,
  SAMPLE_EVENTS,
  SAMPLE_STATUSES,
  type Sample,
  type SampleStatus,
} from './samples.ts';

/** `unknown`: the check was not reached. */
export type Verdict = 'kept' | 'broken' | 'unknown';

/** One sample, sent twice, compared with the contract point by point. */
export type SampleReport = {
  of: SampleStatus | WrittenEventType;
  /** The `webhook-id` of both deliveries. */
  messageId: string;
  /** The JSON text of the request. */
  body: string;
  /** A connection (with TLS for https) and an answer over it. */
  reached: Verdict;
  inTime: Verdict;
  /** 200; of an event any 2xx. */
  httpOk: Verdict;
  /** Not asked of an answer to an event, as `success`. */
  json: Verdict;
  success: Verdict;
  /** The second delivery got the same status and verdict. */
  sameAnswer: Verdict;
  /** The reason why the first delivery got no complete answer; null if it did. */
  failure: SendFailure | null;
  /** The reason why the first delivery did not count, in plain words; null if it did. */
  reason: string | null;
  /** The second delivery's reason, if its answer differed. */
  reasonAgain: string | null;
  httpStatus: number | null;
  durationMs: number;
  /** The first 2 KiB of the answer. */
  answer: string | null;
};

export type EndpointReport = {
  samples: SampleReport[];
  /** Advice, not contract: whether a wrong signature is refused. Null if unchecked. */
  refusesWrongSignature: Verdict | null;
  keepsContract: boolean;
};

const KEY_BYTES = 32;

// No HTTP answer can have begun after these; the others say nothing about the connection.
const NEVER_REACHED: ReadonlySet<SendFailure> = new Set<SendFailure>([
  'url_invalid',
  'address_refused',
  'port_refused',
  'name_not_found',
  'name_lookup_failed',
  'connection_refused',
  'unreachable',
  'tls',
  'no_signing_secret',
]);
const NO_JSON: ReadonlySet<BodyFault> = new Set<BodyFault>([
  'empty',
  'not_json',
  'not_decoded',
  'not_object',
]);

const verdict = (isKept: boolean): Verdict => (isKept ? 'kept' : 'broken');

function isRightStatus(httpStatus: number, kind: CallbackKind): boolean {
  return kind === 'event' ? httpStatus >= 200 && httpStatus < 300 : httpStatus === 200;
}

function judge(
  first: Observation,
  kind: CallbackKind,
): Omit<SampleReport, 'of' | 'messageId' | 'body' | 'sameAnswer' | 'reasonAgain'> {
  const { failure, httpStatus } = first;
  const outcome = classify(first, kind);
  const isBodyRead = kind === 'notification';
  const isComplete = failure === null && httpStatus !== null;
  const fault = bodyFault(first);
  const whole = isComplete ? 'kept' : 'unknown';
  const isJson = fault === null || !NO_JSON.has(fault);
  const isSilent = httpStatus === null && failure === 'timeout';
  const wasReached = httpStatus !== null || (failure !== null && !NEVER_REACHED.has(failure));
  return {
    reached: isSilent ? 'unknown' : verdict(wasReached),
    inTime: failure === 'timeout' ? 'broken' : whole,
    httpOk: httpStatus === null ? 'unknown' : verdict(isRightStatus(httpStatus, kind)),
    json: isComplete && isBodyRead ? verdict(isJson) : 'unknown',
    success: isComplete && isBodyRead && isJson ? verdict(fault === null) : 'unknown',
    failure,
    reason: outcome.delivered ? null : outcome.reason,
    httpStatus,
    durationMs: first.durationMs,
    answer: httpStatus === null ? null : first.body.subarray(0, KEPT_ANSWER_BYTES).toString('utf8'),
  };
}

function sameAnswer(first: Observation, second: Observation | null, kind: CallbackKind): Verdict {
  if (!second) return 'unknown';
  if (kind === 'event') {
    return verdict(classify(first, kind).delivered === classify(second, kind).delivered);
  }
  const [one, two] = [first, second].map(
    (each) => `${each.httpStatus} ${each.failure} ${bodyFault(each)}`,
  );
  return verdict(one === two);
}

type Trial = {
  sender: Sender;
  keys: SigningKeys;
  url: string;
  publicUrl: string;
  now: Date;
};

function post({ sender, url }: Trial, tenant: Tenant, sample: Sample, keys: readonly KeyObject[]) {
  const { merchantId, environment } = tenant;
  const claim = {
    attemptCount: 0,
    stepsTaken: 0,
    dueAt: '',
    trigger: 'schedule' as const,
    requestId: null,
    sendBeforeMs: Number.POSITIVE_INFINITY,
  };
  return sender.send({ ...sample, merchantId, environment, url, ...claim }, keys);
}

async function trySample(
  trial: Trial,
  tenant: Tenant,
  { of, sample, keys }: { of: SampleReport['of']; sample: Sample; keys: readonly KeyObject[] },
): Promise<SampleReport> {
  const { kind } = sample;
  const first = await post(trial, tenant, sample, keys);
  // An endpoint without an answer is not called again, which would double the wait.
  const second = first.failure === null ? await post(trial, tenant, sample, keys) : null;
  const same = sameAnswer(first, second, kind);
  const again = second && classify(second, kind);
  return {
    of,
    messageId: messageId(sample.id),
    body: sample.body.toString('utf8'),
    ...judge(first, kind),
    sameAnswer: same,
    reasonAgain: again === null || again.delivered || same !== 'broken' ? null : again.reason,
  };
}

async function tryWrongSignature(trial: Trial, tenant: Tenant, sample: Sample): Promise<Verdict> {
  const answer = await post(trial, tenant, sample, [createSecretKey(randomBytes(KEY_BYTES))]);
  if (answer.httpStatus === null) return 'unknown';
  return verdict(!classify(answer, sample.kind).delivered);
}

function isKept({ reason, sameAnswer }: SampleReport): boolean {
  return reason === null && sameAnswer === 'kept';
}

/** The samples of a kind, each with what it is of. */
function samplesOf(kind: CallbackKind, trial: Trial): { of: SampleReport['of']; sample: Sample }[] {
  if (kind === 'event') {
    return SAMPLE_EVENTS.map((of) => ({ of, sample: makeSampleEvent(of, trial) }));
  }
  return SAMPLE_STATUSES.map((of) => ({ of, sample: makeSample(of, trial) }));
}

/**
 * Sends a signed sample of each status, or of each event that is sent unless others are chosen, to an address, each twice, like real callbacks (same
 * signature, same limits, same guard of addresses), and compares the answers with the contract. No
 * invoice is read or changed. Takes up to 20 s.
 *
 * @param kind which samples
 * @param checkSignature whether to send another with a wrong signature
 */
export async function tryEndpoint(
  tenant: Tenant,
  {
    kind = 'notification',
    checkSignature,
    ...trial
  }: Trial & { kind?: CallbackKind; checkSignature: boolean },
): Promise<EndpointReport> {
  const keys = await trial.keys.keysOf(tenant.merchantId, tenant.environment, trial.now);
  const made = samplesOf(kind, trial);
  const [forged] = samplesOf(kind, trial);
  const [refusesWrongSignature, ...samples] = await Promise.all([
    checkSignature && forged ? tryWrongSignature(trial, tenant, forged.sample) : null,
    ...made.map((each) => trySample(trial, tenant, { ...each, keys })),
  ]);
  const keepsContract = samples.every(isKept);
  // An endpoint that accepts nothing has not checked the signature.
  const isTelling = keepsContract || refusesWrongSignature !== 'kept';
  return {
    samples,
    refusesWrongSignature: isTelling ? refusesWrongSignature : 'unknown',
    keepsContract,
  };
}
