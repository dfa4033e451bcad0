import type { IncomingMessage } from 'node:http';
import { expect, test } from 'vitest';
import { hasFewCookies, MOST_COOKIES, whyTooLarge } from './page-head.ts';

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

const head = (url: string, headers: string[] = []) =>
  ({ url, headers: Object.fromEntries(headers.map((name) => [name, ''])) }) as IncomingMessage;
const numbered = (count: number) => Array.from({ length: count }, (_, at) => `n${at}`);

test.each([
  ['an address of 8 KiB', head(`/${'x'.repeat(8_191)}`)],
  ['200 parameters', head(`/docs?${numbered(200).join('&')}`)],
  ['200 headers', head('/docs', numbered(200))],
])('Next gets %s', (_what, request) => {
  expect(whyTooLarge(request)).toBeNull();
});

test.each([
  [head(`/${'x'.repeat(8_192)}`), 414, 'The address is too long'],
  [head(`/docs?${numbered(201).join('&')}`), 414, 'The address has too many parameters'],
  [head('/docs', numbered(201)), 431, 'There are too many headers'],
])('Next does not get what is beyond: %#', (request, status, text) => {
  expect(whyTooLarge(request)).toEqual({ status, text });
});
