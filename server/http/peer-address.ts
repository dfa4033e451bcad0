import { subscribe } from 'node:diagnostics_channel';
import type { IncomingMessage } from 'node:http';
import { callerAddress } from '../lib/address-key.ts';
import { processWide } from '../lib/process-wide.ts';

/**
 * How a Next route handler learns the caller's address.
 *
 * Next passes on headers only, and its own `x-forwarded-for` is the caller's if the caller sent
 * one, so an attacker could count each guess under another address. Node announces every request of
 * every http server on a diagnostics channel, with its socket, before any handler runs: there the
 * process overwrites this header with the true address.
 */
const PEER_HEADER = 'x-gateway-peer';

const header = processWide('peer-header', () => ({ isVouchedFor: false }));

/** The caller's address of a node:http request. */
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
 * The caller's address, from the headers that Next passes on.
 *
 * The header is ignored where no process vouches for it. All callers then count as one, which
 * limits too much rather than not at all.
 */
export function vouchedPeer(headers: Headers): string {
  return (header.isVouchedFor && headers.get(PEER_HEADER)) || 'unknown';
}
