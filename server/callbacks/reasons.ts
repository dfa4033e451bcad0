import { fillIn, readerOf } from '../lib/fill-in.ts';
import type { BodyFault, SendFailure } from './types.ts';

/** The reason for a failed attempt by its code, in the attempt's English. */
const REASONS = {
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
  empty: 'the answer was empty',
  not_json: 'the answer was not JSON',
  not_decoded: 'the answer was not JSON, and its Content-Encoding could not be decoded',
  not_object: 'the answer was not a JSON object',
  success_missing: '`success` was missing',
  success_not_true: '`success` was not true',
  status: 'answered {status}, not 200',
  status_of_event: 'answered {status}, not 2xx',
  redirect: 'answered {status}, a redirect, which is not followed',
  redirect_to: 'redirected ({status}) to {to}, which is not followed',
  /** A status that would count alone, with another of these reasons. */
  but: '{status}, but {reason}',
  // No attempt ends with this any more; older ones keep their words.
  name_unknown: 'the name of the host was not found',
  continue_unasked: 'the answer began with 100 Continue, which was not asked for',
} satisfies Record<SendFailure | BodyFault, string> & Record<string, string>;

export type ReasonCode = keyof typeof REASONS;
type Values = Readonly<Record<string, string | number>>;

/** A reason in English, as stored. */
export function writeReason(code: ReasonCode, values: Values = {}): string {
  return fillIn(REASONS[code], values);
}

const READERS = (Object.keys(REASONS) as ReasonCode[]).map(
  (code) => [code, readerOf(REASONS[code])] as const,
);

/** The code and values of a stored reason, for other languages; null for an unknown one. */
export function readReason(text: string): { code: ReasonCode; values: Values } | null {
  for (const [code, read] of READERS) {
    const values = read(text);
    if (values) return { code, values };
  }
  return null;
}
