import { writeReason } from './reasons.ts';
import type {
  AttemptResult,
  BodyFault,
  CallbackKind,
  ClaimedCallback,
  Observation,
  SendFailure,
} from './types.ts';

/** The contract's verdict on an observation, with the reason in plain words. */
export type Outcome = { delivered: true } | { delivered: false; reason: string };

const SHOWN_LOCATION_CHARACTERS = 200;
/** It is a redirect only by its number, because it points nowhere. */
const NOT_MODIFIED = 304;

/**
 * Judges an answer. A notification is delivered by HTTP 200 and a JSON body whose `success` is
 * `true` (contract, Events): 201, 204, `"true"` and 1 are failures. An event is delivered by any 2xx,
 * whatever comes after it.
 */
export function classify(observation: Observation, kind: CallbackKind = 'notification'): Outcome {
  const { failure, httpStatus } = observation;
  if (httpStatus === null) return failed(writeReason(failure ?? 'other'));
  if (kind === 'event') {
    const isTaken = httpStatus >= 200 && httpStatus < 300;
    return isTaken ? { delivered: true } : failed(statusReason(observation, 'status_of_event'));
  }
  // The status comes before any fault of the rest of the answer: it alone tells what to mend.
  if (httpStatus !== 200) return failed(statusReason(observation, 'status'));
  if (failure !== null) return failedAfter200(failure);
  return judgeBody(observation);
}

function failed(reason: string): Outcome {
  return { delivered: false, reason };
}

function failedAfter200(code: SendFailure | BodyFault): Outcome {
  return failed(writeReason('but', { status: 200, reason: writeReason(code) }));
}

/** Judges a body alone, whatever its status; null for a correct one. */
export function bodyFault({ body, isEncoded }: Observation): BodyFault | null {
  if (body.length === 0) return 'empty';
  const text = body.toString('utf8');
  let answer: unknown;
  try {
    // A byte order mark is the fault of the merchant's editor, not of its program.
    answer = JSON.parse(text.startsWith('\uFEFF') ? text.slice(1) : text);
  } catch {
    return isEncoded ? 'not_decoded' : 'not_json';
  }
  if (typeof answer !== 'object' || answer === null || Array.isArray(answer)) return 'not_object';
  if (!Object.hasOwn(answer, 'success')) return 'success_missing';
  return (answer as { success: unknown }).success === true ? null : 'success_not_true';
}

function judgeBody(observation: Observation): Outcome {
  const fault = bodyFault(observation);
  return fault === null ? { delivered: true } : failedAfter200(fault);
}

function statusReason(
  { httpStatus, location }: Observation,
  code: 'status' | 'status_of_event',
): string {
  const status = httpStatus ?? 0;
  const isRedirect = status >= 300 && status < 400 && status !== NOT_MODIFIED;
  return isRedirect ? redirectReason(status, location) : writeReason(code, { status });
}

/** Shows the redirect's target without password and query, which may be the merchant's secrets. */
function redirectReason(httpStatus: number, location: string | null): string {
  const bare = ((location ?? '').split(/[?#]/, 1)[0] ?? '').replace(/\/\/[^/]*@/, '//');
  const shown = bare.replace(/[^\x20-\x7E]/g, '?').slice(0, SHOWN_LOCATION_CHARACTERS);
  if (shown === '') return writeReason('redirect', { status: httpStatus });
  return writeReason('redirect_to', { status: httpStatus, to: shown });
}

/**
 * An attempt's outcome in counts, log and trace. Only the schedule gives a callback up, once: a
 * failed resend counts as a failure, even if the callback stays `exhausted`, because its sender
 * watches it.
 */
export function attemptOutcome({ trigger }: ClaimedCallback, { state }: AttemptResult) {
  const isGivenUp = state === 'exhausted' && trigger !== 'resend';
  return state === 'delivered' || isGivenUp ? state : 'failed';
}
