import { subscribe } from 'node:diagnostics_channel';
import type { IncomingMessage } from 'node:http';
import { callerAddress } from '../lib/address-key.ts';
import { processWide } from '../lib/process-wide.ts';

/**
 * How a route handler of Next's learns who calls.
 *
 * Next gives it headers only, and its own `x-forwarded-for` is the caller's when
 * the caller sent one, so that an attacker could count each guess under another
 * address. Node announces every request of every http server on a diagnostics
 * channel, with its socket, before anyone handles it: there the process writes
 * the true address over whatever the caller put into this header.
 */
const PEER_HEADER = 'x-gateway-peer';

const header = processWide('peer-header', () => ({ isVouchedFor: false }));

/** The caller's address of a request of node:http. */
export function peerOf({ socket, headers }: IncomingMessage, trustedProxyHops: number): string {
  const forwarded = headers['x-forwarded-for'];
  return callerAddress(
    socket.remoteAddress ?? '',
    forwarded === undefined ? null : String(forwarded),
    trustedProxyHops,
  );
}

/** From now on every request in this process carries its caller's address; may be called twice. */
export function vouchForPeers(trustedProxyHops: number): void {
  if (header.isVouchedFor) return;
  header.isVouchedFor = true;
  subscribe('http.server.request.start', (message) => {
    const { request } = message as { request: IncomingMessage };
    request.headers[PEER_HEADER] = peerOf(request, trustedProxyHops);
  });
}

/**
 * The caller's address out of the headers that Next hands on.
 *
 * Where nobody vouches for the header it is not believed: then all callers count
 * as one, which limits too much rather than not at all.
 */
export function vouchedPeer(headers: Headers): string {
  return (header.isVouchedFor && headers.get(PEER_HEADER)) || 'unknown';
}
