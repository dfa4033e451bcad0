import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  CURRENCIES,
  type Currency,
  formatAmount,
  formatMoney,
  fromDecimalString,
  toDecimalString,
} from './money.ts';

const withPlainSpaces = (text: string) => text.replace(/\s/g, ' ');

// By ISO 4217 all four have two decimals, the sum's tiyin included.
test.each<[amountMinor: bigint, text: string]>([
  [0n, '0.00'],
  [1n, '0.01'],
  [99n, '0.99'],
  [100n, '1.00'],
  [150_000n, '1500.00'],
  [-5n, '-0.05'],
  // Beyond what a number holds exactly.
  [9_223_372_036_854_775_807n, '92233720368547758.07'],
])('%s minor units are %s in every currency', (amountMinor, text) => {
  for (const currency of CURRENCIES) expect(toDecimalString(amountMinor, currency)).toBe(text);
});

test.each<[Currency, { amount: string[]; money: string[] }]>([
  ['USD', { amount: ['1,500.05 USD', '1 500,05 USD'], money: ['$1,500.05', '1 500,05 $'] }],
  ['EUR', { amount: ['1,500.05 EUR', '1 500,05 EUR'], money: ['€1,500.05', '1 500,05 €'] }],
  ['RUB', { amount: ['1,500.05 RUB', '1 500,05 RUB'], money: ['RUB 1,500.05', '1 500,05 ₽'] }],
  ['UZS', { amount: ['1,500.05 UZS', '1 500,05 UZS'], money: ['UZS 1,500.05', '1 500,05 UZS'] }],
])('150005 minor units of %s as people read them in English and Russian', (currency, texts) => {
  const inBoth = (format: typeof formatMoney) =>
    ['en', 'ru'].map((locale) => withPlainSpaces(format(150_005n, currency, locale)));
  expect(inBoth(formatAmount)).toEqual(texts.amount);
  expect(inBoth(formatMoney)).toEqual(texts.money);
});

test('an amount beyond what a number holds is written to the last unit', () => {
  const text = formatAmount(9_223_372_036_854_775_807n, 'UZS', 'en');
  expect(withPlainSpaces(text)).toBe('92,233,720,368,547,758.07 UZS');
});

test('what is written as a decimal is read back, in every currency, to the last unit', () => {
  const amounts = fc.bigInt({ min: 0n, max: 10n ** 18n - 1n });
  fc.assert(
    fc.property(amounts, fc.constantFrom(...CURRENCIES), (amountMinor, currency) => {
      const text = toDecimalString(amountMinor, currency);
      expect(fromDecimalString(text)).toBe(amountMinor);
      expect(fromDecimalString(text.replace('.', ','))).toBe(amountMinor);
    }),
  );
});

test.each([
  ['12', 1_200n],
  ['12.5', 1_250n],
  ['007', 700n],
  ['', null],
  ['-1', null],
  ['+1', null],
  ['.5', null],
  ['5.', null],
  ['1.234', null],
  ['1,234.56', null],
  ['1e3', null],
  ['1 000', null],
  ['12345678901234567', null],
])('%j as a decimal is %s minor units', (text, amountMinor) => {
  expect(fromDecimalString(text)).toBe(amountMinor);
});
