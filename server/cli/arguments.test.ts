import { expect, test } from 'vitest';
import { parseInstant } from './arguments.ts';

test.each([
  ['2027-12-31', '2027-12-31T00:00:00.000Z'],
  ['2027-12-31T18:00', '2027-12-31T18:00:00.000Z'],
  ['2027-12-31T18:00:00+05:00', '2027-12-31T13:00:00.000Z'],
  ['0001-01-01', '0001-01-01T00:00:00.000Z'],
  ['9999-12-31T23:59:59Z', '9999-12-31T23:59:59.000Z'],
])('%s is an instant', (text, expected) => {
  expect(parseInstant(text).toISOString()).toBe(expected);
});

test.each([
  ['no date', 'soon'],
  ['a day that is not in the calendar', '2027-02-30'],
  ['a year that PostgreSQL does not have', '0000-01-01'],
  ['a year before the first by UTC', '0001-01-01T00:00:00+14:00'],
  ['a year of five digits by UTC', '9999-12-31T23:59:59-14:00'],
])('%s is refused with an example', (_what, text) => {
  expect(() => parseInstant(text)).toThrow('Write it like 2027-12-31');
});
