import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

const SANE = /^[A-Za-z0-9._-]{1,128}$/;

// A random part for the process and a count: unique without asking the system for random bytes at
// every request.
const PROCESS_PART = randomBytes(9).toString('hex');
let count = 0;

/** The caller's X-Request-Id when it is 1 to 128 of `A-Za-z0-9._-`, otherwise a new id. */
export function requestIdOf(header: string | null): string {
  if (header !== null && SANE.test(header)) return header;
  count += 1;
  return `req_${PROCESS_PART}_${count.toString(36)}`;
}

/** The id of a node:http request, which is put into its headers: later readers get the same one. */
export function settledRequestId({ headers }: IncomingMessage): string {
  const given = headers['x-request-id'];
  const id = requestIdOf(typeof given === 'string' ? given : null);
  headers['x-request-id'] = id;
  return id;
}
