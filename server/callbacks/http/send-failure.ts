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
  // undici asserts some facts of an answer, such as a status of at least 100.
  ERR_ASSERTION: 'malformed_answer',
  EPROTO: 'tls',
  SELF_SIGNED_CERT_IN_CHAIN: 'tls',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'tls',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'tls',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'tls',
};

// This machine has run out of these.
const OUR_LACK = new Set(['EMFILE', 'ENFILE', 'ENOBUFS', 'ENOMEM']);

/** Whether this machine lacked open files or memory, which is no merchant's server's fault. */
export function isLackOfOurs(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.some(isLackOfOurs);
  return OUR_LACK.has((error as NodeJS.ErrnoException).code ?? '');
}

/** Maps an error of undici, the network or TLS to one of our few words. */
export function failureOf(error: unknown): SendFailure {
  if (error instanceof AddressRefusedError) return error.refusal;
  // Several failed addresses come as one error that holds the others.
  if (error instanceof AggregateError && error.errors.length > 0) return failureOf(error.errors[0]);
  const { code = '', syscall, name, message } = error as NodeJS.ErrnoException;
  // A refusal by a name server is not one by a merchant's server.
  if (code === 'ECONNREFUSED' && syscall?.startsWith('query')) return 'name_lookup_failed';
  // This address did not accept in its share of the time, and no later one was reachable.
  if (code === 'ETIMEDOUT' && syscall === 'connect') return 'unreachable';
  // The server switched protocols (101) unasked.
  if (code === 'UND_ERR_SOCKET' && message === 'bad upgrade') return 'malformed_answer';
  const known = FAILURE_BY_CODE[code];
  if (known) return known;
  if (name === 'HTTPParserError') return 'malformed_answer';
  return /^(ERR_TLS|ERR_SSL|CERT_)/.test(code) ? 'tls' : 'other';
}

/** The error's own message, for errors without a word of ours. */
export function causeOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return causeOf(error.errors[0]);
  const { code, name, message } = error as NodeJS.ErrnoException;
  return `${code ?? name}: ${message}`;
}
