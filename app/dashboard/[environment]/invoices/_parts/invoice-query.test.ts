import { expect, it } from 'vitest';
import { MAX_AMOUNT_MINOR } from '#server/lib/money.ts';
import {
  amountInWords,
  columnsOf,
  isNarrowed,
  orderOf,
  readInvoiceQuery,
  toFilters,
  USUAL_COLUMNS,
  withPaid,
} from './invoice-query.ts';

it.each([
  ['1', true],
  [' 1 234 567,5 ', true],
  ['1.50', true],
  ['1. 5 0', true],
  ['9999999999999.99', true],
  ['9 999 999 999 999,99', true],
  ['90 071 992 547 409,91', true],
  ['1 2 3 4 5 6 7 8 9 0 1 2 3 4', true],
  ['12345678901234567', false],
  ['1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7', false],
  ['1.', false],
  ['.5', false],
  ['1.505', false],
  ['-1', false],
  ['1,234.50', true],
  ['١٢٫٥', true],
])('“%s” is taken as an amount: %s', (text, isTaken) => {
  expect(readInvoiceQuery({ min: text }).min).toBe(isTaken ? text.trim() : '');
});

it('takes two days and two amounts in either order', () => {
  const days = { from: '2026-02-01', to: '2026-11-02' };
  const amounts = { min: '9,50', max: '10' };
  const right = { ...days, ...amounts };
  expect(readInvoiceQuery(right)).toMatchObject(right);
  const turned = { from: days.to, to: days.from, min: amounts.max, max: amounts.min };
  expect(readInvoiceQuery(turned)).toMatchObject(right);
  for (const alone of [{ from: days.to }, { to: days.from }, { min: '10' }, { max: '9,50' }]) {
    const none = { from: '', to: '', min: '', max: '' };
    expect(readInvoiceQuery(alone)).toMatchObject({ ...none, ...alone });
  }
});

it.each([
  ['0', 0n],
  ['1 234,5', 123_450n],
  ['90071992547409.91', MAX_AMOUNT_MINOR],
  ['90071992547409.90', MAX_AMOUNT_MINOR - 1n],
  // The amount is above an invoice's limit, and beyond what a number holds exactly.
  ['90071992547409.92', MAX_AMOUNT_MINOR],
  ['99999999999999.99', MAX_AMOUNT_MINOR],
])('“%s” in the filter is %s minor units', (text, minor) => {
  const filters = toFilters(readInvoiceQuery({ min: text, max: text }), 'UTC');
  expect(filters).toMatchObject({ minAmountMinor: Number(minor), maxAmountMinor: Number(minor) });
});

it('a day lasts in the viewer’s zone until the next one begins', () => {
  const days = { from: '2026-11-20', to: '2026-11-21' };
  expect(toFilters(readInvoiceQuery(days), 'Asia/Tashkent')).toMatchObject({
    fromMs: Date.parse('2026-11-19T19:00:00.000Z'),
    untilMs: Date.parse('2026-11-21T19:00:00.000Z'),
  });
});

it.each([
  ['', '', ''],
  ['1234', '1,234', '1 234'],
  ['1 234,5', '1,234.50', '1 234,50'],
  ['１２３４．５', '1,234.50', '1 234,50'],
  ['90071992547409.91', '90,071,992,547,409.91', '90 071 992 547 409,91'],
])('the amount %j of a filter is told as %j', (text, english, russian) => {
  expect(amountInWords(text, 'en')).toBe(english);
  expect(amountInWords(text, 'ru').replaceAll(/\s/g, ' ')).toBe(russian);
});

it('shows the columns of the address, else those that the browser keeps, else the usual ones', () => {
  const shown = (columns: string | string[], kept?: string) =>
    columnsOf(readInvoiceQuery({ columns }), kept);
  expect(shown('ends,status', 'card')).toEqual(['status', 'ends']);
  expect(shown(['card', 'id'])).toEqual(['card', 'id']);
  expect(shown('', 'ends,card')).toEqual(['card', 'ends']);
  for (const none of ['', 'colour']) expect(shown(none, none)).toEqual(USUAL_COLUMNS);
});

it('a list by payment tells the time of that, and there are four orders, one of them a search’s', () => {
  const read = (search: Record<string, string>) => readInvoiceQuery(search);
  expect(withPaid(USUAL_COLUMNS, read({}))).toEqual(USUAL_COLUMNS);
  const paid = withPaid(USUAL_COLUMNS, read({ by: 'paid' }));
  expect(paid).toContain('paid');
  expect(paid).not.toContain('created');
  const chosen = withPaid(['status', 'created'], read({ by: 'paid' }));
  expect(chosen).toEqual(['status', 'created', 'paid']);
  expect(orderOf(read({ by: 'other', sort: 'amount' }), false)).toBe('newest');
  expect(orderOf(read({ sort: 'oldest' }), false)).toBe('oldest');
  expect(orderOf(read({ by: 'paid' }), false)).toBe('lastPaid');
  expect(orderOf(read({ by: 'paid', sort: 'oldest' }), false)).toBe('firstPaid');
  expect(orderOf(read({ by: 'paid', sort: 'oldest' }), true)).toBe('newest');
  expect(isNarrowed(read({ sort: 'oldest', columns: 'status' }))).toBe(false);
  expect(isNarrowed(read({ by: 'paid' }))).toBe(true);
});
