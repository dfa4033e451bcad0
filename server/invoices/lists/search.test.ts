import { expect, it } from 'vitest';
import { LOCALES } from '../../lib/locales.ts';
import { CURRENCIES, formatMoney } from '../../lib/money.ts';
import { parseSearch } from './search.ts';

it('the id of an invoice, or of its callback', () => {
  expect(parseSearch(' inv_01abc ')?.invoiceId).toBe('inv_01abc');
  expect(parseSearch('msg_01abc')?.invoiceId).toBe('inv_01abc');
  expect(parseSearch('\u200bＩnv_01ABC')?.invoiceId).toBe('inv_01abc');
});

it('four digits are a card, an amount and a transaction id', () => {
  expect(parseSearch('4242')).toMatchObject({
    text: '4242',
    cardLast4: '4242',
    amountMinor: 424_200n,
  });
});

it.each([
  [' lead-1', ['lead-1', ' lead-1']],
  ['trail-1\u00a0', ['trail-1', 'trail-1\u00a0']],
  ['plain', ['plain']],
  ['Ｏrder–1', ['Ｏrder–1', 'Order-1']],
])(
  '“%s” as a transaction id, as it is, without the blanks around it, and folded',
  (text, transactionIds) => {
    expect(parseSearch(text)?.transactionIds).toEqual(transactionIds);
  },
);

it('four digits as the list shows a card', () => {
  expect(parseSearch('•••• 4242')).toMatchObject({ cardLast4: '4242', amountMinor: null });
  expect(parseSearch('42424')?.cardLast4).toBeNull();
  expect(parseSearch('٤٢٤٢')?.cardLast4).toBe('4242');
});

it.each([
  ['15', 1_500n],
  ['15.5', 1_550n],
  ['1 500,05', 150_005n],
  ['90071992547409.91', 9_007_199_254_740_991n],
  ['90071992547409.92', null],
  ['1,500.00 RUB', 150_000n],
  ['1,500', 150_000n],
  ['usd 15', 1_500n],
  ['$85.50', 8_550n],
  ['15.00 $', 1_500n],
  ['US$15.00', 1_500n],
  ["15 000,00 so'm", 1_500_000n],
  ['84 900 сум', 8_490_000n],
  ['١٥٫٥', 1_550n],
  ['１５．００　ＵＳＤ', 1_500n],
  ['$', null],
  ['15.005', null],
  ['order-15', null],
])('%s as an amount', (text, amountMinor) => {
  expect(parseSearch(text)?.amountMinor).toBe(amountMinor);
});

it.each(LOCALES)('an amount as the pages write it in %s', (locale) => {
  for (const currency of CURRENCIES) {
    for (const amountMinor of [50n, 8_550n, 123_400n, 123_450n, 123_456_789n]) {
      const written = formatMoney(amountMinor, currency, locale);
      // Letters and other programs replace the wide spaces by narrow ones.
      for (const text of [written, written.replaceAll(/\s/g, '\u202f')]) {
        expect([text, parseSearch(text)?.amountMinor]).toEqual([text, amountMinor]);
      }
    }
  }
});

it('nothing for an empty text, and no NUL for PostgreSQL', () => {
  expect(parseSearch(' \0 ')).toBeNull();
  expect(parseSearch('a\0b')?.text).toBe('ab');
});
