import { expect, test } from 'vitest';
import { isSameOrigin } from './same-origin.ts';

const PUBLIC = 'https://pay.example';
type Headers = Record<string, string>;

test.each<[string, boolean, Headers]>([
  ['our own page', true, { origin: PUBLIC, host: 'pay.example', 'sec-fetch-site': 'same-origin' }],
  ['our own page, an old browser', true, { origin: PUBLIC, host: 'pay.example' }],
  ['a proxy that changes Host', true, { origin: PUBLIC, host: '10.0.0.7:3000' }],
  [
    'another name of this server',
    true,
    { origin: 'http://127.0.0.1:3000', host: '127.0.0.1:3000' },
  ],
  [
    'a hidden origin',
    true,
    { origin: 'null', host: 'pay.example', 'sec-fetch-site': 'same-origin' },
  ],
  ['no origin, but the browser vouches', true, { 'sec-fetch-site': 'same-origin' }],
  ['no origin', false, { host: 'pay.example' }],
  ['a hidden origin, an old browser', false, { origin: 'null', host: 'pay.example' }],
  ['another site', false, { origin: 'https://evil.example', host: 'pay.example' }],
  ['a sibling', false, { origin: PUBLIC, host: 'pay.example', 'sec-fetch-site': 'same-site' }],
  ['a link from outside', false, { host: 'pay.example', 'sec-fetch-site': 'none' }],
  ['a longer name', false, { origin: 'https://pay.example.evil.example', host: 'pay.example' }],
  ['rubbish', false, { origin: 'pay.example', host: 'pay.example' }],
])('a post from %s: %s', (_, allowed, headers) => {
  expect(isSameOrigin((name) => headers[name] ?? null, PUBLIC)).toBe(allowed);
});
