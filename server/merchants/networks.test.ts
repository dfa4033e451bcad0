import fc from 'fast-check';
import { expect, it } from 'vitest';
import { checkNetworks, isWithin, storedAddress, toNetworks } from './networks.ts';

it.each([
  [['203.0.113.7'], ['203.0.113.7']],
  [[' 203.0.113.7/32 ', '203.0.113.7'], ['203.0.113.7']],
  [
    ['203.0.113.0/24', '0.0.0.0/0', '::/0'],
    ['203.0.113.0/24', '0.0.0.0/0', '::/0'],
  ],
  [
    ['2001:DB8:0::/32', '2001:db8::1/128'],
    ['2001:db8::/32', '2001:db8::1'],
  ],
  [
    ['::ffff:203.0.113.7', '::ffff:203.0.113.0/120'],
    ['203.0.113.7', '203.0.113.0/24'],
  ],
])('%j is stored as %j', (given, stored) => {
  expect(checkNetworks(given)).toEqual(stored);
});

it.each([
  'shop.example',
  '',
  '10',
  '010.0.0.1',
  '203.0.113.7/33',
  '203.0.113.0/',
  '203.0.113.0/24/1',
  '203.0.113.0/255.255.255.0',
  '203.0.113.7-9',
  '::ffff:203.0.113.0/95',
  'fe80::1%eth0',
  '2001:db8::/129',
])('what is no network is refused by name: %j', (text) => {
  expect(() => checkNetworks(['203.0.113.7', text])).toThrow(`"${text}"`);
});

it.each([
  ['203.0.113.7/24', '203.0.113.0/24', '203.0.113.7'],
  ['2001:db8::1/64', '2001:db8::/64', '2001:db8::1'],
])('%s could mean the network or the address, so it is refused', (text, whole, address) => {
  expect(() => checkNetworks([text])).toThrow(
    `"${text}" can mean two things. Write ${whole} for the network, or ${address} for the single`,
  );
});

it('a token has 50 networks at most, each counted once', () => {
  const many = Array.from({ length: 50 }, (_, index) => `203.0.113.${index}`);
  expect(checkNetworks([...many, ...many])).toHaveLength(50);
  expect(() => checkNetworks([...many, '2001:db8::1'])).toThrow('at most 50');
});

it('an address is within a network if the leading bits are equal, in its mapped form too', () => {
  const address = fc.nat(0xffff_ffff);
  const dotted = (bits: number) => [24, 16, 8, 0].map((shift) => (bits >>> shift) & 0xff).join('.');
  fc.assert(
    fc.property(address, address, fc.nat(32), (one, other, length) => {
      const mask = length === 0 ? 0 : (0xffff_ffff << (32 - length)) >>> 0;
      const networks = toNetworks(checkNetworks([`${dotted((one & mask) >>> 0)}/${length}`]));
      const isInside = (other & mask) >>> 0 === (one & mask) >>> 0;
      expect(isWithin(networks, dotted(other))).toBe(isInside);
      expect(isWithin(networks, `::ffff:${dotted(other)}`)).toBe(isInside);
      expect(isWithin(networks, dotted(one))).toBe(true);
    }),
  );
});

it('all of IPv4 has no IPv6 address and no other text in it', () => {
  const [all, six] = [toNetworks(['0.0.0.0/0']), toNetworks(['2001:db8::/32'])];
  expect(isWithin(all, '2001:db8::1')).toBe(false);
  expect(isWithin(all, 'unknown')).toBe(false);
  expect(isWithin(six, '2001:db8:ffff::1')).toBe(true);
  expect(isWithin(six, '2001:db9::1')).toBe(false);
});

it('an address is kept without its zone, and what is none is not kept', () => {
  expect(storedAddress('fe80::1%eth0')).toBe('fe80::1');
  expect(storedAddress('::ffff:192.0.2.1')).toBe('192.0.2.1');
  expect(storedAddress('unknown')).toBeNull();
});
