import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** The permitted targets of callbacks: `local` allows loopback besides public addresses. */
export type CallbackNetwork = 'public' | 'local';

export type AddressRefusal = 'url_invalid' | 'port_refused' | 'address_refused';

/** Thrown before a connection that must not be made. */
export class AddressRefusedError extends Error {
  readonly refusal: AddressRefusal;

  constructor(refusal: AddressRefusal) {
    super(`callback refused: ${refusal}`);
    this.name = 'AddressRefusedError';
    this.refusal = refusal;
  }
}

const GLOBAL_UNICAST_V6 = ipaddr.IPv6.parse('2000::');
const GLOBAL_UNICAST_V6_BITS = 3;

// This address is public by its number, but the host itself answers: Azure's platform address
// serves credentials to programs that run there.
const PLATFORM_ADDRESSES = new Set(['168.63.129.16']);

type Scope = 'public' | 'loopback' | 'other';

function scopeOfIPv4(address: ipaddr.IPv4): Scope {
  const range = address.range();
  if (range === 'loopback') return 'loopback';
  return range === 'unicast' && !PLATFORM_ADDRESSES.has(address.toString()) ? 'public' : 'other';
}

function ipv4FromParts(high: number, low: number): ipaddr.IPv4 {
  return new ipaddr.IPv4([high >> 8, high & 0xff, low >> 8, low & 0xff]);
}

/** Public only if all are: a packet may take any of them. */
function strictest(scopes: Scope[]): Scope {
  return scopes.find((scope) => scope !== 'public') ?? 'public';
}

/**
 * The IPv4 addresses inside an IPv6 address, or null for none. They are judged, because packets end
 * there.
 */
function embeddedIPv4(address: ipaddr.IPv6): ipaddr.IPv4[] | null {
  const [p0 = 0, p1 = 0, p2 = 0, p3 = 0, p4 = 0, p5 = 0, p6 = 0, p7 = 0] = address.parts;
  const isMapped = address.range() === 'ipv4Mapped';
  // RFC 6052's well-known prefix; the local-use one (RFC 8215) is refused below.
  const isNat64 = p0 === 0x64 && p1 === 0xff9b && p2 === 0 && p3 === 0 && p4 === 0 && p5 === 0;
  if (isMapped || isNat64) return [ipv4FromParts(p6, p7)];
  const is6to4 = p0 === 0x2002;
  if (is6to4) return [ipv4FromParts(p1, p2)];
  const isTeredo = p0 === 0x2001 && p1 === 0;
  // RFC 4380: the server's address, and the client's with its bits inverted.
  if (isTeredo) return [ipv4FromParts(p2, p3), ipv4FromParts(p6 ^ 0xffff, p7 ^ 0xffff)];
  return null;
}

function scopeOfIPv6(address: ipaddr.IPv6): Scope {
  if (address.zoneId) return 'other';
  if (address.range() === 'loopback') return 'loopback';
  const embedded = embeddedIPv4(address);
  if (embedded) return strictest(embedded.map(scopeOfIPv4));
  // ipaddr.js calls some addresses outside 2000::/3 "unicast" (::7f00:1, 4000::1),
  // although nothing public is there.
  const isPublic =
    address.range() === 'unicast' && address.match(GLOBAL_UNICAST_V6, GLOBAL_UNICAST_V6_BITS);
  if (!isPublic) return 'other';
  // ISATAP (RFC 5214) hides an IPv4 address in the interface part of any prefix.
  const [, , , , p4 = 0, p5 = 0, p6 = 0, p7 = 0] = address.parts;
  const isIsatap = (p4 & 0xfdff) === 0 && p5 === 0x5efe;
  return isIsatap ? scopeOfIPv4(ipv4FromParts(p6, p7)) : 'public';
}

/**
 * Whether a callback may connect to this address.
 *
 * Public IPv6 is 2000::/3 minus its special ranges; an embedded IPv4 (mapped, NAT64, 6to4, Teredo)
 * is judged by the IPv4 inside.
 *
 * @param address an IP address in its usual spelling, without brackets; anything else is refused
 */
export function isAddressAllowed(address: string, network: CallbackNetwork): boolean {
  // isIP knows only four-part IPv4, so that no odd spelling reaches the parser.
  const family = isIP(address);
  if (family === 0) return false;
  const scope =
    family === 4
      ? scopeOfIPv4(ipaddr.IPv4.parse(address))
      : scopeOfIPv6(ipaddr.IPv6.parse(address));
  return scope === 'public' || (scope === 'loopback' && network === 'local');
}

const FIRST_UNPRIVILEGED_PORT = 1024;

/**
 * Only the two web ports are allowed below 1024: the others belong to protocols (mail, name
 * service, remote shells) that might take a POST for commands. Merchants' own servers listen above,
 * on any port.
 */
function isPortAllowed(port: number, network: CallbackNetwork): boolean {
  return network === 'local' || port === 80 || port === 443 || port >= FIRST_UNPRIVILEGED_PORT;
}

/** Removes the brackets of an IPv6 literal in a URL's host name. */
export function bareHost(hostname: string): string {
  return hostname.startsWith('[') ? hostname.slice(1, -1) : hostname;
}

/**
 * Parses a callback URL and vets everything that needs no name lookup: scheme, port, and an IP
 * literal in any spelling (the WHATWG parser has turned `0x7f.1`, `2130706433`, full-width digits
 * and trailing dots into four parts).
 *
 * @throws AddressRefusedError
 */
export function vetUrl(text: string, network: CallbackNetwork): URL {
  const url = URL.canParse(text) ? new URL(text) : null;
  const isWeb = url?.protocol === 'http:' || url?.protocol === 'https:';
  if (!url || !isWeb || url.hostname === '') throw new AddressRefusedError('url_invalid');
  const port = url.port === '' ? 80 : Number(url.port);
  if (!isPortAllowed(port, network)) throw new AddressRefusedError('port_refused');
  const host = bareHost(url.hostname);
  if (isIP(host) !== 0 && !isAddressAllowed(host, network)) {
    throw new AddressRefusedError('address_refused');
  }
  return url;
}
