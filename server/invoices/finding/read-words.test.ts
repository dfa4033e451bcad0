import { expect, it } from 'vitest';
import { isIdPart, readWords } from './read-words.ts';

const plain = (text: string) => ({ text, amountMinor: null, cardLast4: null, email: null });

it.each([
  ['coffee beans', [plain('coffee'), plain('beans')]],
  ['80 000 сум', [{ ...plain(''), text: null, amountMinor: 8_000_000n }]],
  [
    "coffee 80,000.00 so'm",
    [plain('coffee'), { ...plain(''), text: null, amountMinor: 8_000_000n }],
  ],
  ['80000', [{ ...plain('80000'), amountMinor: 8_000_000n }]],
  ['4242', [{ ...plain('4242'), amountMinor: 424_200n, cardLast4: '4242' }]],
  ['ali@shop.uz', [{ ...plain('ali@shop.uz'), email: 'ali@shop.uz' }]],
  ['ali@', [{ ...plain('ali@'), email: 'ali@' }]],
  ['...k3v9', [plain('k3v9')]],
])('“%s”', (text, words) => {
  expect(readWords(text)).toEqual(words);
});

it('looks within ids for what may be of one', () => {
  expect(['k3v9', '0a1b2c', 'coffee', '800000'].every(isIdPart)).toBe(true);
  expect(['café', 'cafe', '8000', 'k3v', 'a-1b2c'].some(isIdPart)).toBe(false);
});
