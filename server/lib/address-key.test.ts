import { expect, test } from 'vitest';
import { addressKey, callerAddress } from './address-key.ts';

test('a /64 counts as one caller, a mapped IPv4 address as itself', () => {
  expect(addressKey('2001:db8::1')).toBe(addressKey('2001:db8::ffff:2'));
  expect(addressKey('2001:db8::1')).not.toBe(addressKey('2001:db8:0:1::1'));
  expect(addressKey('::ffff:192.0.2.1')).toBe('192.0.2.1');
  expect(addressKey('unknown')).toBe('unknown');
});

test.each([
  [0, '203.0.113.9', '192.0.2.1'],
  [1, null, '192.0.2.1'],
  [1, '203.0.113.9', '203.0.113.9'],
  [1, '198.51.100.66, 203.0.113.9', '203.0.113.9'],
  [2, '198.51.100.66, 203.0.113.9, 192.0.2.7', '203.0.113.9'],
  [2, '203.0.113.9', '192.0.2.1'],
  [1, 'nonsense', '192.0.2.1'],
  [1, '198.51.100.66:80, 203.0.113.9:51234', '203.0.113.9'],
  [1, '2001:db8::1', '2001:db8::1'],
  [1, '[2001:db8::1]', '2001:db8::1'],
  [1, '[2001:db8::1]:443', '2001:db8::1'],
  [1, '2001:db8::1:443', '2001:db8::1:443'],
  [1, '203.0.113.9:', '192.0.2.1'],
])('behind %i trusted proxies, X-Forwarded-For %s means %s', (hops, header, address) => {
  expect(callerAddress('192.0.2.1', header, hops)).toBe(address);
});

test('an IPv4 address is written as people know it, whatever kind of socket it comes by', () => {
  expect(callerAddress('::ffff:192.0.2.1', null, 0)).toBe('192.0.2.1');
  expect(callerAddress('::ffff:192.0.2.1', 'nonsense', 1)).toBe('192.0.2.1');
  expect(callerAddress('::1', '::FFFF:203.0.113.9', 1)).toBe('203.0.113.9');
  expect(callerAddress('::1', '[::ffff:203.0.113.9]:443', 1)).toBe('203.0.113.9');
  expect(callerAddress('::ffff:1', null, 0)).toBe('::ffff:1');
});
