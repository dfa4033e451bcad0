import { expect, it } from 'vitest';
import { AMOUNT_PATTERN, readInvoiceQuery } from './invoice-query.ts';

// As a browser reads the pattern of a field.
const PATTERN = new RegExp(`^(?:${AMOUNT_PATTERN})$`, 'v');

it.each([
  ['1', true],
  [' 1 234 567,5 ', true],
  ['1.50', true],
  ['1. 5 0', true],
  ['9999999999999.99', true],
  ['9 999 999 999 999,99', true],
  ['12345678901234', false],
  ['1234567890123456', false],
  ['1 2 3 4 5 6 7 8 9 0 1 2 3 4', false],
  ['1.', false],
  ['.5', false],
  ['1.505', false],
  ['-1', false],
  ['1,234.50', false],
])('browser and server both take “%s”: %s', (text, isTaken) => {
  expect(PATTERN.test(text)).toBe(isTaken);
  expect(readInvoiceQuery({ min: text }).min).toBe(isTaken ? text.trim() : '');
});
