import { expect, it } from 'vitest';
import { normaliseEmail } from './members.ts';

it('an address is kept trimmed and in lower case', () => {
  expect(normaliseEmail(' Ada.O’Hara+shop@Shop.Example ')).toBe('ada.o’hara+shop@shop.example');
});

it.each([
  'ada',
  'ada@',
  'ada@shop@example',
  'ada lovelace@shop.example',
  'ada\n@shop.example',
  'ada\u0007@shop.example',
  'x,victim@shop.example',
  'bob@shop.example,',
  'x;victim@shop.example',
  'ada<ada@shop.example>',
  'ada(ada)@shop.example',
  'staff:ada@shop.example',
  '"ada"@shop.example',
  'ada\\@shop.example',
  'ada@[192.0.2.1]',
])('what a letter would take elsewhere is no address: %j', (email) => {
  expect(() => normaliseEmail(email)).toThrow('is not an e-mail address');
});
