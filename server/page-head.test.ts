import { expect, test } from 'vitest';
import { hasFewCookies, MOST_COOKIES } from './page-head.ts';

const cookies = (count: number) => Array.from({ length: count }, (_, at) => `c${at}=1`).join('; ');

test.each([
  ['none', undefined],
  ['one that is long', `next-auth.session-token=${'x'.repeat(40_000)}`],
  ['as many as a browser keeps', cookies(MOST_COOKIES)],
])('few: %s', (_what, header) => {
  expect(hasFewCookies(header)).toBe(true);
});

test.each([
  ['one more', cookies(MOST_COOKIES + 1)],
  ['as many as a request holds', cookies(5_000)],
  ['without spaces or values', 'a;'.repeat(MOST_COOKIES)],
])('too many: %s', (_what, header) => {
  expect(hasFewCookies(header)).toBe(false);
});
