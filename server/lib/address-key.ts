import ipaddr from 'ipaddr.js';

const HALF_OF_IPV6_BYTES = 8;
// Some proxies add the port, which differs for each connection, or only the brackets.
const WITH_PORT = /^(?:\[(?<ipv6>.+)\](?::\d+)?|(?<ipv4>[\d.]+):\d+)$/;

/**
 * The key under which an address's failures are counted.
 *
 * An IPv6 host owns a whole /64, so a /64 counts as one; an IPv4 address in its mapped form counts
 * as itself. A text that is not an address is its own key.
 */
export function addressKey(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  if (parsed.kind() === 'ipv4') return parsed.toString();
  return Buffer.from(parsed.toByteArray().slice(0, HALF_OF_IPV6_BYTES)).toString('hex');
}

// A dual-stack socket gives IPv4 addresses this prefix, which no person writes.
const MAPPED = /^::ffff:(?=\d+\.)/i;

/**
 * The caller's address behind `trustedHops` of our own proxies, without its port and as people
 * write it. Each proxy appends the address that called it, so the count starts at the right: the
 * caller itself wrote everything further left.
 */
export function callerAddress(
  peer: string,
  forwardedFor: string | null,
  trustedHops: number,
): string {
  const direct = peer.replace(MAPPED, '');
  if (trustedHops === 0 || forwardedFor === null) return direct;
  const hops = forwardedFor.split(',').map((part) => part.trim());
  const hop = hops.at(-trustedHops) ?? '';
  const { ipv6, ipv4 } = WITH_PORT.exec(hop)?.groups ?? {};
  const address = (ipv6 ?? ipv4 ?? hop).replace(MAPPED, '');
  return ipaddr.isValid(address) ? address : direct;
}
