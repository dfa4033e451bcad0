import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { caretAfter, formatExpiry, groupNumber, parseExpiry } from './field-formats.ts';

/** Types a text character by character, as the field sees it. */
function typed(text: string): string {
  let value = '';
  for (const character of text) value = formatExpiry(value + character, false);
  return value;
}

describe('a card number', () => {
  const unit = fc.constantFrom(...'0123456789');
  const digits = fc.string({ unit, maxLength: 19, size: 'max' });

  test.each([
    ['4242424242424242', '4242 4242 4242 4242'],
    ['4242-4242 42', '4242 4242 42'],
    ['\u202d42424242\u202c', '4242 4242'],
    ['42', '42'],
    ['', ''],
    ['１２３４５', '1234 5'],
    ['12345678901234567890123', '1234 5678 9012 3456 7890 123'],
  ])('%j is shown as %j', (text, shown) => expect(groupNumber(text)).toBe(shown));

  test('keeps its digits and their order', () => {
    fc.assert(fc.property(digits, (text) => groupNumber(text).replaceAll(' ', '') === text));
  });

  test('grouped twice is grouped once', () => {
    fc.assert(
      fc.property(fc.string(), (text) => groupNumber(groupNumber(text)) === groupNumber(text)),
    );
  });

  test('leaves as many digits before the caret as there were', () => {
    fc.assert(
      fc.property(digits, fc.nat(19), (text, wanted) => {
        const before = Math.min(wanted, text.length);
        const grouped = groupNumber(text);
        const caret = caretAfter(grouped, before);
        return grouped.slice(0, caret).replaceAll(' ', '').length === before;
      }),
    );
  });
});

describe('an expiry date', () => {
  test.each([
    ['1230', '12 / 30'],
    ['12/30', '12 / 30'],
    ['١٢٣٠', '12 / 30'],
    ['830', '08 / 30'],
    ['08/2029', '08 / 29'],
    ['8/2029', '08 / 29'],
    ['1/2029', '01 / 29'],
    ['082029', '08 / 29'],
    ['122030', '12 / 30'],
    ['08/202', '08 / 202'],
    ['0820', '08 / 20'],
    ['08291', '08 / 29'],
    ['1/30', '01 / 30'],
    ['2037', '2037'],
    ['2037 0', '2037 0'],
    ['2037 1', '2037 1'],
    ['2037 03', '03 / 37'],
    ['2037-03', '03 / 37'],
    ['2037 11', '11 / 37'],
    ['2037/3', '03 / 37'],
    ['203711', '11 / 37'],
    ['0', '0'],
    ['1', '1'],
    ['12', '12 / '],
  ])('typed as %j is shown as %j, and means the same without script', (text, shown) => {
    expect(typed(text)).toBe(shown);
    expect(parseExpiry(text)).toEqual(parseExpiry(shown));
  });

  test.each([
    ['08/2029', '08 / 29'],
    ['8/2029', '08 / 29'],
    ['082029', '08 / 29'],
    ['2029-08', '08 / 29'],
    ['2029-8', '08 / 29'],
    ['2029-1', '01 / 29'],
    ['2037 03', '03 / 37'],
    ['2037 3', '03 / 37'],
    ['203703', '03 / 37'],
    ['2037', '2037'],
    ['08 / 29', '08 / 29'],
    ['Mar 2037', 'Mar 2037'],
    ['2037年3月', '2037年3月'],
    ['१२/३०', '12 / 30'],
    ['122034', '12 / 34'],
  ])('filled in as %j is shown as %j, and means the same without script', (text, shown) => {
    expect(formatExpiry(text, false)).toBe(shown);
    expect(parseExpiry(text)).toEqual(parseExpiry(shown));
  });

  test('can be deleted to nothing', () => {
    let value = '12 / 30';
    for (let step = 0; step < 10 && value !== ''; step++) {
      value = formatExpiry(value.slice(0, -1), true);
    }
    expect(value).toBe('');
  });

  test('of any month and year can be typed without the slash', () => {
    const two = (value: number) => String(value).padStart(2, '0');
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 12 }),
        fc.integer({ min: 0, max: 99 }),
        (month, year) => {
          const shown = typed(two(month) + two(year));
          const parsed = parseExpiry(shown);
          return parsed?.month === month && parsed.year === 2000 + year;
        },
      ),
    );
  });
});
