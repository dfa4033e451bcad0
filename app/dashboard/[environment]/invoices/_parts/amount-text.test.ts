import fc from 'fast-check';
import { expect, it } from 'vitest';
import { MAX_AMOUNT_MINOR, toDecimalString } from '#server/lib/money.ts';
import { parseAmount } from './amount-text.ts';

it('reads back every amount that is written, to the last unit', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 1n, max: MAX_AMOUNT_MINOR }), (minor) => {
      expect(parseAmount(toDecimalString(minor, 'USD'))).toBe(minor);
    }),
  );
});

it.each([
  ['12', 1200n],
  ['12,5', 1250n],
  [' 1 234.56 ', 123456n],
  ['0.01', 1n],
  ['1,234.56', 123456n],
  ['１２．５', 1250n],
])('reads %j', (text, minor) => {
  expect(parseAmount(text)).toBe(minor);
});

it.each(['', '0', '0.00', '-1', '1.234', '1e3', '1,234,56', 'abc', '.5'])('refuses %j', (text) => {
  expect(parseAmount(text)).toBeNull();
});
