import fc from 'fast-check';
import ipaddr from 'ipaddr.js';
import { describe, expect, test } from 'vitest';
import { AddressRefusedError, isAddressAllowed, vetUrl } from './address-guard.ts';

const RUNS = 3_000;

/** Any address of a range: the bits of its prefix, and random others. */
function inRange(cidr: string): fc.Arbitrary<string> {
  const [network, bits] = ipaddr.parseCIDR(cidr);
  const base = network.toByteArray();
  return fc.uint8Array({ minLength: base.length, maxLength: base.length }).map((random) => {
    const bytes = base.map((byte, i) => {
      const fixed = Math.min(8, Math.max(0, bits - i * 8));
      const mask = (0xff << (8 - fixed)) & 0xff;
      return (byte & mask) | ((random[i] ?? 0) & ~mask & 0xff);
    });
    return ipaddr.fromByteArray(bytes).toString();
  });
}

/** The IPv6 spellings of an IPv4 address: mapped, NAT64, 6to4, Teredo, ISATAP. */
function embed(ipv4: string): Record<string, string> {
  const [a = 0, b = 0, c = 0, d = 0] = ipv4.split('.').map(Number);
  const high = ((a << 8) | b).toString(16);
  const low = ((c << 8) | d).toString(16);
  const inverted = `${(((a << 8) | b) ^ 0xffff).toString(16)}:${(((c << 8) | d) ^ 0xffff).toString(16)}`;
  return {
    mapped: `::ffff:${high}:${low}`,
    nat64: `64:ff9b::${high}:${low}`,
    sixToFour: `2002:${high}:${low}::1`,
    teredoClient: `2001:0:808:808:0:0:${inverted}`,
    teredoServer: `2001:0:${high}:${low}:0:0:f7f7:f7f7`,
    isatap: `2607:f8b0:1:1:0:5efe:${high}:${low}`,
    isatapGlobal: `2607:f8b0:1:1:200:5efe:${high}:${low}`,
  };
}

const FORBIDDEN_V4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.31.196.0/24',
  '192.52.193.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '192.175.48.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
];

const FORBIDDEN_V6 = [
  '::/96',
  '::1/128',
  '64:ff9b:1::/48',
  '100::/64',
  '2001:2::/48',
  '2001:10::/28',
  '2001:20::/28',
  '2001:db8::/32',
  '3fff::/20',
  '4000::/3',
  '5f00::/16',
  '6000::/3',
  '8000::/1',
  'fc00::/7',
  'fe80::/10',
  'fec0::/10',
  'ff00::/8',
];

describe('isAddressAllowed, public', () => {
  test.each([...FORBIDDEN_V4, ...FORBIDDEN_V6])('nothing of %s', (cidr) => {
    fc.assert(
      fc.property(inRange(cidr), (address) => !isAddressAllowed(address, 'public')),
      { numRuns: RUNS },
    );
  });

  test.each(FORBIDDEN_V4)('nothing of %s within IPv6', (cidr) => {
    fc.assert(
      fc.property(inRange(cidr), (ipv4) => {
        for (const address of Object.values(embed(ipv4))) {
          expect(isAddressAllowed(address, 'public'), address).toBe(false);
        }
      }),
      { numRuns: 1_000 },
    );
  });

  test('a public IPv4 is public within IPv6 as well', () => {
    for (const address of Object.values(embed('8.8.8.8'))) {
      expect(isAddressAllowed(address, 'public'), address).toBe(true);
    }
  });

  test.each(['8.8.8.8', '1.1.1.1', '193.0.6.139', '2606:4700::1111', '2a00:1450:4001::200e'])(
    '%s is allowed',
    (address) => {
      expect(isAddressAllowed(address, 'public')).toBe(true);
    },
  );

  test.each(['168.63.129.16', '::7f00:1', '::5efe:7f00:1', '2607::1%eth0', 'fe80::1%1'])(
    '%s is refused',
    (address) => {
      expect(isAddressAllowed(address, 'public')).toBe(false);
    },
  );

  test.each(['0x7f.1', '2130706433', '8.8.8', '010.8.8.8', '8.8.8.8.', ' 8.8.8.8', '', 'shop'])(
    '"%s" is no address',
    (text) => {
      expect(isAddressAllowed(text, 'public')).toBe(false);
      expect(isAddressAllowed(text, 'local')).toBe(false);
    },
  );
});

describe('isAddressAllowed, local', () => {
  test.each(['127.0.0.1', '127.9.8.7', '::1', '::ffff:7f00:1', '8.8.8.8'])('%s', (address) => {
    expect(isAddressAllowed(address, 'local')).toBe(true);
  });

  test.each(['10.0.0.1', '192.168.1.1', '169.254.169.254', 'fd00:ec2::254', '0.0.0.0', '::'])(
    'not %s',
    (address) => {
      expect(isAddressAllowed(address, 'local')).toBe(false);
    },
  );
});

function refusalOf(url: string, network: 'public' | 'local'): string | null {
  try {
    vetUrl(url, network);
    return null;
  } catch (error) {
    return error instanceof AddressRefusedError ? error.refusal : 'other';
  }
}

describe('vetUrl', () => {
  test.each([
    'http://127.0.0.1/',
    'http://0x7f.1/',
    'http://2130706433/',
    'http://017700000001/',
    'http://①②⑦.⓪.⓪.①/',
    'http://127.0.0.1./',
    'http://127.1/',
    'http://0/',
    'http://[::1]/',
    'http://[::ffff:7f00:1]/',
    'http://[::ffff:127.0.0.1]/',
    'http://[::]/',
    'http://169.254.169.254/latest/meta-data',
    'http://%31%32%37.0.0.1/',
  ])('%s is refused before any connection', (url) => {
    expect(refusalOf(url, 'public')).toBe('address_refused');
  });

  test.each(['ftp://8.8.8.8/', 'javascript:alert(1)', 'file:///etc/passwd', 'no url', 'unix:/x'])(
    '%s is no web address',
    (url) => {
      expect(refusalOf(url, 'public')).toBe('url_invalid');
      expect(refusalOf(url, 'local')).toBe('url_invalid');
    },
  );

  test('of the ports below 1024 only those of the web', () => {
    const allowed = [80, 443, 1024, 3000, 8080, 8443, 65535];
    for (const port of allowed) expect(refusalOf(`https://8.8.8.8:${port}/`, 'public')).toBeNull();
    for (const port of [0, 21, 22, 23, 25, 53, 110, 143, 465, 587, 993, 1023]) {
      expect(refusalOf(`http://8.8.8.8:${port}/`, 'public')).toBe('port_refused');
    }
    expect(refusalOf('http://127.0.0.1:81/', 'local')).toBeNull();
  });
});
