import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { forgetSettings } from '../testing/settings.ts';
import { isFromOwnPage } from './own-page.ts';

const OWN = 'https://pay.example';

beforeAll(() => {
  vi.stubEnv('PUBLIC_URL', OWN);
  forgetSettings();
});
afterAll(() => {
  vi.unstubAllEnvs();
  forgetSettings();
});

function isOwn(method: string, headers: Record<string, string>): boolean {
  return isFromOwnPage({ method, headers: new Headers(headers) });
}

test.each<[string, boolean, Record<string, string>]>([
  ['our own page', true, { origin: OWN, 'sec-fetch-site': 'same-origin' }],
  ['our own page, in a browser that tells no more', true, { origin: OWN }],
  ['behind a proxy that changes Host', true, { origin: OWN, host: '10.0.0.7:3000' }],
  ['a hidden origin', true, { origin: 'null', 'sec-fetch-site': 'same-origin' }],
  ['a hidden origin, in a browser that tells no more', false, { origin: 'null' }],
  ['nowhere', false, {}],
  ['another site', false, { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }],
  ['a longer name', false, { origin: 'https://pay.example.evil.example' }],
  ['our host without https', false, { origin: 'http://pay.example' }],
  ['another port of our host', false, { origin: 'https://pay.example:8443' }],
  ['the name that Host says', false, { origin: 'https://evil.example', host: 'evil.example' }],
  [
    'the name that a proxy says',
    false,
    { origin: 'https://evil.example', 'x-forwarded-host': 'evil.example' },
  ],
  ['rubbish', false, { origin: 'pay.example' }],
])('a post from %s: %s', (_, expected, headers) => {
  expect(isOwn('POST', { host: 'pay.example', ...headers })).toBe(expected);
  expect(isOwn('DELETE', { host: 'pay.example', ...headers })).toBe(expected);
});

test.each<[string, boolean, Record<string, string>]>([
  ['a link of ours', true, { 'sec-fetch-site': 'same-origin' }],
  ['typed', true, { 'sec-fetch-site': 'none' }],
  ['a link elsewhere', false, { 'sec-fetch-site': 'cross-site' }],
  ['a link of a neighbour', false, { 'sec-fetch-site': 'same-site' }],
  ['a link of ours, over plain http', true, { referer: `${OWN}/dashboard` }],
  ['a link elsewhere, over plain http', false, { referer: 'https://evil.example/dashboard' }],
  ['nobody knows where', false, {}],
])('a GET, %s: %s', (_, expected, headers) => {
  expect(isOwn('GET', headers)).toBe(expected);
});
