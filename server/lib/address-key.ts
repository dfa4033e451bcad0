import ipaddr from 'ipaddr.js';

const HALF_OF_IPV6_BYTES = 8;
// Some proxies add the port, which is another for each connection, or only the brackets.
const WITH_PORT = /^(?:\[(?<ipv6>.+)\](?::\d+)?|(?<ipv4>[\d.]+):\d+)$/;

/**
 * The key under which an address's failures are counted.
 *
 * An IPv6 host owns a whole /64, so a /64 counts as one; an IPv4 address in its
 * mapped form counts as itself. What is no address is its own key.
 */
export function addressKey(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  if (parsed.kind() === 'ipv4') return parsed.toString();
  return Buffer.from(parsed.toByteArray().slice(0, HALF_OF_IPV6_BYTES)).toString('hex');
}

// How a socket that takes both kinds has an IPv4 address, which nobody knows by that.
const MAPPED = /^::ffff:(?=\d+\.)/i;

/**
 * The caller's address behind `trustedHops` proxies of ours, each of which
 * appends the address it was called from: counted from the right, because
 * whatever stands further left was written by the caller. Without its port, and as people write it.
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
