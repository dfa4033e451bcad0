import fc from 'fast-check';
import { expect, it } from 'vitest';
import { MAX_AMOUNT_MINOR, toDecimalString } from '#server/lib/money.ts';
import { parseAmount, presetAmount } from './amount-text.ts';

it('reads back every amount that is written, to the last unit', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 1n, max: MAX_AMOUNT_MINOR }), (minor) => {
      expect(parseAmount(toDecimalString(minor, 'USD'))).toBe(minor);
    }),
  );
});

it('a preset amount is read back, and has decimals only where it needs them', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 1n, max: MAX_AMOUNT_MINOR }), (minor) => {
      expect(parseAmount(presetAmount(minor, 'UZS'))).toBe(minor);
    }),
  );
  const preset = (minor: bigint) => presetAmount(minor, 'UZS');
  expect([1_500_000n, 1_000n, 1_550n, 5n].map(preset)).toEqual(['15000', '10', '15.50', '0.05']);
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
