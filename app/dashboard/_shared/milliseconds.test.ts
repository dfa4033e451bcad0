import { expect, it } from 'vitest';
import { millisecondsText } from './milliseconds.ts';

it.each([
  ['en', '1,234.5\u00a0ms'],
  ['ru', '1\u00a0234,5\u00a0мс'],
] as const)('a time is written as %s has it, with its unit on the same line', (locale, text) => {
  expect(millisecondsText(1_234.5, locale)).toBe(text);
});
