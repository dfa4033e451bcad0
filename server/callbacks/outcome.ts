import { writeReason } from './reasons.ts';
import type {
  AttemptResult,
  BodyFault,
  ClaimedCallback,
  Observation,
  SendFailure,
} from './types.ts';

/** What an observation means by the contract, with the reason in plain words. */
export type Outcome = { delivered: true } | { delivered: false; reason: string };

const SHOWN_LOCATION_CHARACTERS = 200;
/** Among the redirects by its number only: it points nowhere. */
const NOT_MODIFIED = 304;

/**
 * Judges an answer: delivered means HTTP 200 and a JSON body whose `success` is
 * `true` (contract, Events). 201, 204, `"true"` and 1 are failures.
 */
export function classify(observation: Observation): Outcome {
  const { failure, httpStatus } = observation;
  if (httpStatus === null) return failed(writeReason(failure ?? 'other'));
  // Before whatever became of the rest of the answer: the status alone says what to mend.
  if (httpStatus !== 200) return failed(statusReason(httpStatus, observation.location));
  if (failure !== null) return failedAfter200(failure);
  return judgeBody(observation);
}

function failed(reason: string): Outcome {
  return { delivered: false, reason };
}

function failedAfter200(code: SendFailure | BodyFault): Outcome {
  return failed(writeReason('but', { status: 200, reason: writeReason(code) }));
}

/** Looks at a body alone, whatever the status was; null when it is as it must be. */
export function bodyFault({ body, isEncoded }: Observation): BodyFault | null {
  if (body.length === 0) return 'empty';
  const text = body.toString('utf8');
  let answer: unknown;
  try {
    // A byte order mark is no fault of the merchant's program but of its editor.
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

function statusReason(httpStatus: number, location: string | null): string {
  const isRedirect = httpStatus >= 300 && httpStatus < 400 && httpStatus !== NOT_MODIFIED;
  return isRedirect
    ? redirectReason(httpStatus, location)
    : writeReason('status', { status: httpStatus });
}

/** Shows where it pointed, without password and query, which may be the merchant's secrets. */
function redirectReason(httpStatus: number, location: string | null): string {
  const bare = ((location ?? '').split(/[?#]/, 1)[0] ?? '').replace(/\/\/[^/]*@/, '//');
  const shown = bare.replace(/[^\x20-\x7E]/g, '?').slice(0, SHOWN_LOCATION_CHARACTERS);
  if (shown === '') return writeReason('redirect', { status: httpStatus });
  return writeReason('redirect_to', { status: httpStatus, to: shown });
}

/**
 * What counts, log and trace say of an attempt. A callback is given up once, by the schedule: a resend
 * that fails counts as that, also where it leaves the callback `exhausted`, for whoever asked for it
 * looks at it.
 */
export function attemptOutcome({ trigger }: ClaimedCallback, { state }: AttemptResult) {
  const isGivenUp = state === 'exhausted' && trigger !== 'resend';
  return state === 'delivered' || isGivenUp ? state : 'failed';
}
