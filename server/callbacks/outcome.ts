import type { AttemptResult, ClaimedCallback, Observation, SendFailure } from './types.ts';

/** What an observation means by the contract, with the reason in plain words. */
export type Outcome = { delivered: true } | { delivered: false; reason: string };

const SHOWN_LOCATION_CHARACTERS = 200;
/** Among the redirects by its number only: it points nowhere. */
const NOT_MODIFIED = 304;

const FAILURE_REASONS: Record<SendFailure, string> = {
  url_invalid: 'the address is not a valid http or https URL',
  address_refused: 'the address is not a public one, and only public ones are called',
  port_refused: 'the port is not one that callbacks are sent to (80, 443, or 1024 and above)',
  name_not_found: 'the name of the host was not found, or does not lead to a public address',
  name_lookup_failed: 'the name of the host could not be looked up',
  connection_refused: 'connection refused',
  unreachable: 'the host could not be reached',
  connection_closed: 'the connection was closed before the answer was complete',
  tls: 'no secure connection: the certificate or the TLS handshake was not accepted',
  timeout: 'no complete answer within 10 s',
  too_large: 'answer longer than 64 KiB',
  malformed_answer: 'the answer is not valid HTTP',
  no_signing_secret: 'there is no signing secret to sign it with',
  other: 'the request failed',
};

/**
 * Judges an answer: delivered means HTTP 200 and a JSON body whose `success` is
 * `true` (contract, Events). 201, 204, `"true"` and 1 are failures.
 */
export function classify(observation: Observation): Outcome {
  const { failure, httpStatus } = observation;
  if (httpStatus === null) return failed(FAILURE_REASONS[failure ?? 'other']);
  // Before whatever became of the rest of the answer: the status alone says what to mend.
  if (httpStatus !== 200) return failed(statusReason(httpStatus, observation.location));
  if (failure !== null) return failed(`200, but ${FAILURE_REASONS[failure]}`);
  return judgeBody(observation);
}

function failed(reason: string): Outcome {
  return { delivered: false, reason };
}

/** What keeps a body from being the answer that the contract asks for. */
export type BodyFault =
  | 'empty'
  | 'not_json'
  | 'not_decoded'
  | 'not_object'
  | 'success_missing'
  | 'success_not_true';

const BODY_REASONS: Record<BodyFault, string> = {
  empty: 'the answer was empty',
  not_json: 'the answer was not JSON',
  not_decoded: 'the answer was not JSON, and its Content-Encoding could not be decoded',
  not_object: 'the answer was not a JSON object',
  success_missing: '`success` was missing',
  success_not_true: '`success` was not true',
};

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
  return fault === null ? { delivered: true } : failed(`200, but ${BODY_REASONS[fault]}`);
}

function statusReason(httpStatus: number, location: string | null): string {
  const isRedirect = httpStatus >= 300 && httpStatus < 400 && httpStatus !== NOT_MODIFIED;
  return isRedirect ? redirectReason(httpStatus, location) : `answered ${httpStatus}, not 200`;
}

/** Shows where it pointed, without password and query, which may be the merchant's secrets. */
function redirectReason(httpStatus: number, location: string | null): string {
  const bare = ((location ?? '').split(/[?#]/, 1)[0] ?? '').replace(/\/\/[^/]*@/, '//');
  const shown = bare.replace(/[^\x20-\x7E]/g, '?').slice(0, SHOWN_LOCATION_CHARACTERS);
  if (shown === '') return `answered ${httpStatus}, a redirect, which is not followed`;
  return `redirected (${httpStatus}) to ${shown}, which is not followed`;
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
