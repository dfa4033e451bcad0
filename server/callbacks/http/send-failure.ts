import type { SendFailure } from '../types.ts';
import { AddressRefusedError } from './address-guard.ts';

const FAILURE_BY_CODE: Readonly<Record<string, SendFailure>> = {
  ENOTFOUND: 'name_not_found',
  ENODATA: 'name_not_found',
  EAI_NODATA: 'name_not_found',
  EBADNAME: 'name_not_found',
  EAI_AGAIN: 'name_lookup_failed',
  ESERVFAIL: 'name_lookup_failed',
  ETIMEOUT: 'name_lookup_failed',
  EREFUSED: 'name_lookup_failed',
  EBADRESP: 'name_lookup_failed',
  EFORMERR: 'name_lookup_failed',
  ENOTIMP: 'name_lookup_failed',
  ECONNREFUSED: 'connection_refused',
  EHOSTUNREACH: 'unreachable',
  ENETUNREACH: 'unreachable',
  EADDRNOTAVAIL: 'unreachable',
  ECONNRESET: 'connection_closed',
  EPIPE: 'connection_closed',
  UND_ERR_SOCKET: 'connection_closed',
  ETIMEDOUT: 'timeout',
  UND_ERR_CONNECT_TIMEOUT: 'timeout',
  UND_ERR_HEADERS_TIMEOUT: 'timeout',
  UND_ERR_BODY_TIMEOUT: 'timeout',
  UND_ERR_HEADERS_OVERFLOW: 'too_large',
  READ_LIMIT: 'too_large',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'malformed_answer',
  // What undici takes for granted of an answer: that its status is 100 at least, for one.
  ERR_ASSERTION: 'malformed_answer',
  EPROTO: 'tls',
  SELF_SIGNED_CERT_IN_CHAIN: 'tls',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'tls',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'tls',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'tls',
};

// What this machine has no more of.
const OUR_LACK = new Set(['EMFILE', 'ENFILE', 'ENOBUFS', 'ENOMEM']);

/** Whether this machine lacked open files or memory, for which no merchant's server is to blame. */
export function isLackOfOurs(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.some(isLackOfOurs);
  return OUR_LACK.has((error as NodeJS.ErrnoException).code ?? '');
}

/** Puts an error of undici, the network or TLS into our own few words. */
export function failureOf(error: unknown): SendFailure {
  if (error instanceof AddressRefusedError) return error.refusal;
  // Several addresses tried in vain come as one error that holds the others.
  if (error instanceof AggregateError && error.errors.length > 0) return failureOf(error.errors[0]);
  const { code = '', syscall, name, message } = error as NodeJS.ErrnoException;
  // A name server that refuses us is no merchant's server that does.
  if (code === 'ECONNREFUSED' && syscall?.startsWith('query')) return 'name_lookup_failed';
  // An address that did not accept in its share of the time, and no later one could be reached.
  if (code === 'ETIMEDOUT' && syscall === 'connect') return 'unreachable';
  // A change of protocols (101) that was not asked for.
  if (code === 'UND_ERR_SOCKET' && message === 'bad upgrade') return 'malformed_answer';
  const known = FAILURE_BY_CODE[code];
  if (known) return known;
  if (name === 'HTTPParserError') return 'malformed_answer';
  return /^(ERR_TLS|ERR_SSL|CERT_)/.test(code) ? 'tls' : 'other';
}

/** What such an error says of itself, where our words say nothing. */
export function causeOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return causeOf(error.errors[0]);
  const { code, name, message } = error as NodeJS.ErrnoException;
  return `${code ?? name}: ${message}`;
}
