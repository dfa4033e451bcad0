import { expect, it } from 'vitest';
import { countText } from './count-text.ts';

it.each([
  [0, false, 'en', '0'],
  [1_000, false, 'en', '1,000'],
  [1_000, true, 'en', '1,000+'],
  [10_000, true, 'ru', '10\u00a0000+'],
])('%i, with more: %s, in %s is written %s', (count, isMore, locale, text) => {
  expect(countText(count, isMore, locale)).toBe(text);
});
