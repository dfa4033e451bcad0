import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  CURRENCIES,
  type Currency,
  formatMoney,
  fromDecimalString,
  MAX_AMOUNT_MINOR,
  readAmount,
  toDecimalString,
} from './money.ts';

// By ISO 4217 all four have two decimals, the sum's tiyin included.
test.each<[amountMinor: bigint, text: string]>([
  [0n, '0.00'],
  [1n, '0.01'],
  [99n, '0.99'],
  [100n, '1.00'],
  [150_000n, '1500.00'],
  [-5n, '-0.05'],
  // These are beyond what a number holds exactly.
  [9_223_372_036_854_775_807n, '92233720368547758.07'],
])('%s minor units are %s in every currency', (amountMinor, text) => {
  for (const currency of CURRENCIES) expect(toDecimalString(amountMinor, currency)).toBe(text);
});

const LOCALES = ['en', 'ru', 'uz'] as const;

// The blanks are no-break spaces: U+00A0.
test.each<[amountMinor: bigint, Currency, texts: string[]]>([
  [8_490_000n, 'UZS', ['UZS 84,900', '84 900 сум', '84 900 soʻm']],
  [8_490_050n, 'UZS', ['UZS 84,900.50', '84 900,50 сум', '84 900,50 soʻm']],
  [1_500n, 'USD', ['$15.00', '15 $', '15 $']],
  [1_505n, 'USD', ['$15.05', '15,05 $', '15,05 $']],
  [123_456_700n, 'EUR', ['€1,234,567.00', '1 234 567 €', '1 234 567 €']],
  [150_000n, 'RUB', ['RUB 1,500.00', '1 500 ₽', '1 500 ₽']],
  [150_010n, 'RUB', ['RUB 1,500.10', '1 500,10 ₽', '1 500,10 ₽']],
  [0n, 'USD', ['$0.00', '0 $', '0 $']],
  [5n, 'USD', ['$0.05', '0,05 $', '0,05 $']],
  [100_000n, 'USD', ['$1,000.00', '1 000 $', '1 000 $']],
])('%s minor units of %s as people write them in English, Russian and Uzbek', (...given) => {
  const [amountMinor, currency, texts] = given;
  const noBreak = (text: string) => text.replaceAll(' ', '\u00a0');
  expect(LOCALES.map((locale) => formatMoney(amountMinor, currency, locale))).toEqual(
    texts.map(noBreak),
  );
});

test('in a column all sums have decimals where one has', () => {
  const column = [1_000n, 550n];
  const written = (locale: (typeof LOCALES)[number]) =>
    column.map((each) => formatMoney(each, 'UZS', locale, column));
  expect(written('ru')).toEqual(['10,00\u00a0сум', '5,50\u00a0сум']);
  expect(written('en')).toEqual(['UZS\u00a010.00', 'UZS\u00a05.50']);
  expect(formatMoney(1_000n, 'UZS', 'ru', [1_000n, 500n])).toBe('10\u00a0сум');
});

test('a sum of any size is written to its last unit, and tells no decimals that it has not', () => {
  const sums = fc.bigInt({ min: 0n, max: 10n ** 20n });
  const asked = [sums, fc.constantFrom(...CURRENCIES), fc.constantFrom(...LOCALES)] as const;
  fc.assert(
    fc.property(...asked, (amountMinor, currency, locale) => {
      const written = formatMoney(amountMinor, currency, locale);
      const [, whole = '', decimals = ''] =
        /(\d[\d,\u00a0]*?)(?:[.,](\d\d))?(?:\u00a0\D+)?$/.exec(written) ?? [];
      expect(BigInt(whole.replaceAll(/\D/g, '') + decimals.padEnd(2, '0'))).toBe(amountMinor);
      if (locale !== 'en') expect(decimals).not.toBe('00');
    }),
    { examples: [[9_223_372_036_854_775_807n, 'UZS', 'ru']] },
  );
});

test('what is written as a decimal is read back, in every currency, to the last unit', () => {
  const amounts = fc.bigInt({ min: 0n, max: 10n ** 18n - 1n });
  fc.assert(
    fc.property(amounts, fc.constantFrom(...CURRENCIES), (amountMinor, currency) => {
      const text = toDecimalString(amountMinor, currency);
      expect(readAmount(text)).toBe(amountMinor);
      expect(readAmount(text.replace('.', ','))).toBe(amountMinor);
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
  ['1,234.56', 123_456n],
  ['1,234', 123_400n],
  ['1,234,5', null],
  ['1e3', null],
  ['1 000', 100_000n],
  ['1\u00a0000\u202f000,5', 100_000_050n],
  ['١٢٣٤٫٥', 123_450n],
  ['１，５００．００', 150_000n],
  ['12345678901234567', null],
])('%j as a person types it is %s minor units', (text, amountMinor) => {
  expect(readAmount(text)).toBe(amountMinor);
});

test('an amount goes to an acquirer’s form and back unchanged', () => {
  for (const minor of [1n, 7n, 10n, 99n, 100n, 7_999n, 50_999n, 3_313_973n, 10n ** 12n]) {
    expect(fromDecimalString(toDecimalString(minor, 'UZS'), 'UZS')).toBe(minor);
  }
  const amounts = fc.bigInt({ min: 0n, max: MAX_AMOUNT_MINOR });
  fc.assert(
    fc.property(amounts, (minor) => {
      expect(fromDecimalString(toDecimalString(minor, 'UZS'), 'UZS')).toBe(minor);
    }),
  );
  for (const odd of ['', '1,5', '1.234', '-1', '1e3', ' 1', '1.', '.5', '0x1']) {
    expect(fromDecimalString(odd, 'UZS'), odd).toBeNull();
  }
});
