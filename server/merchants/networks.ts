import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { GatewayError } from '../lib/errors.ts';

type Address = ipaddr.IPv4 | ipaddr.IPv6;
/** Its first address, and the number of bits that all of its addresses share. */
export type Network = readonly [start: Address, bits: number];

const BITS = { ipv4: 32, ipv6: 128 };
/** The length of the prefix under which IPv6 writes an IPv4 address. */
const MAPPED_PREFIX_BITS = 96;

const MAX_NETWORKS = 50;

/** `203.0.113.7` or `203.0.113.0/24`, of IPv4 or IPv6; null for anything else. */
function parseNetwork(text: string): Network | null {
  const [address = '', bits, ...rest] = text.split('/');
  // ipaddr.js also reads `10` and `0x7f.1`. A zone says something on one machine only.
  if (isIP(address) === 0 || address.includes('%') || rest.length > 0) return null;
  if (bits !== undefined && !/^\d{1,3}$/.test(bits)) return null;
  const written = ipaddr.parse(address);
  const start = ipaddr.process(address);
  const prefix = written.kind() === start.kind() ? 0 : MAPPED_PREFIX_BITS;
  const most = BITS[start.kind()];
  const fixed = bits === undefined ? most : Number(bits) - prefix;
  return fixed >= 0 && fixed <= most ? [start, fixed] : null;
}

function firstAddressOf([address, bits]: Network): Address {
  const { IPv4, IPv6 } = ipaddr;
  const cidr = `${address}/${bits}`;
  return address.kind() === 'ipv4'
    ? IPv4.networkAddressFromCIDR(cidr)
    : IPv6.networkAddressFromCIDR(cidr);
}

/** One form for each network; a single address stands alone. */
function networkText(start: Address, bits: number): string {
  return bits === BITS[start.kind()] ? String(start) : `${start}/${bits}`;
}

function checkNetwork(text: string): string {
  const network = parseNetwork(text);
  if (network === null) throw new GatewayError('network_invalid', { network: text });
  const [address, bits] = network;
  const start = firstAddressOf(network);
  if (String(start) !== String(address)) {
    throw new GatewayError('network_ambiguous', {
      network: text,
      whole: networkText(start, bits),
      address: String(address),
    });
  }
  return networkText(address, bits);
}

/**
 * The addresses and networks from which a token works, as they are stored: each once, and IPv4
 * addresses in their mapped form as themselves.
 *
 * @throws GatewayError `validation` for what is neither, for an address within a network that is
 *   written as the network, and for too many
 */
export function checkNetworks(texts: readonly string[]): string[] {
  const networks = [...new Set(texts.map((text) => checkNetwork(text.trim())))];
  if (networks.length > MAX_NETWORKS) {
    throw new GatewayError('too_many_networks', { most: MAX_NETWORKS });
  }
  return networks;
}

/** Stored networks, ready to be compared with. */
export function toNetworks(texts: readonly string[]): Network[] {
  return texts.map((text) => {
    const network = parseNetwork(text);
    if (network === null) throw new Error(`not a network: ${text}`);
    return network;
  });
}

/**
 * Whether a caller's address lies in one of the networks; in none if it is not an address. An IPv4
 * address in its mapped form counts as itself.
 */
export function isWithin(networks: readonly Network[], address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const caller = ipaddr.process(address);
  return networks.some(
    ([start, bits]) => start.kind() === caller.kind() && caller.match(start, bits),
  );
}

/** An address as the database keeps it, or null for what is none. */
export function storedAddress(address: string): string | null {
  const [plain = ''] = address.split('%');
  return isIP(plain) === 0 ? null : String(ipaddr.process(plain));
}
