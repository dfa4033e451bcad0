import { NextRequest } from 'next/server';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { forgetSettings } from '#server/testing/settings.ts';
import { proxy } from '../proxy.ts';

const OWN = 'https://pay.example';
const ACTION = `60${'a'.repeat(40)}`;

function servedAt(publicUrl: string): void {
  vi.stubEnv('PUBLIC_URL', publicUrl);
  forgetSettings();
}
beforeEach(() => servedAt(OWN));
afterEach(() => {
  vi.unstubAllEnvs();
  forgetSettings();
});

/** A page's form as Next's script sends it. */
function form(path: string, headers: Record<string, string>): NextRequest {
  const body = new FormData();
  body.set('0', '["$K1"]');
  const all = { host: 'pay.example', 'next-action': ACTION, ...headers };
  return new NextRequest(OWN + path, { method: 'POST', headers: all, body });
}

test.each<[string, Record<string, string>]>([
  ['nowhere', {}],
  ['a hidden origin', { origin: 'null' }],
  ['another site', { origin: 'https://evil.example' }],
  [
    'another site that names itself as the host',
    { origin: 'https://evil.example', host: 'evil.example', 'x-forwarded-host': 'evil.example' },
  ],
  ['our host without https', { origin: 'http://pay.example' }],
])('403 for a form from %s, before Next sees it', async (_, headers) => {
  for (const next of [{ 'next-action': ACTION }, { 'next-action': 'unknown' }]) {
    for (const path of ['/pay/inv_1', '/dashboard/sign-in']) {
      const answer = proxy(form(path, { ...headers, ...next }));
      expect(answer.status).toBe(403);
      expect(answer.headers.get('x-middleware-next')).toBeNull();
      expect(await answer.text()).toContain(`not sent from ${OWN}`);
    }
  }
});

test('who is there all the same reads it in their language', async () => {
  const answer = proxy(form('/pay/inv_1', { 'accept-language': 'uz' }));
  expect(await answer.text()).toMatch(/^Hech narsa bajarilmadi/);
});

test.each<[string, Record<string, string>]>([
  ['our page', { origin: OWN }],
  ['our page, behind a proxy that changes Host', { origin: OWN, host: '10.0.0.7:3000' }],
  ['our page, whose origin is hidden', { origin: 'null', 'sec-fetch-site': 'same-origin' }],
])('a form from %s comes to Next, whose own comparison agrees', async (_, headers) => {
  const answer = proxy(form('/pay/inv_1', headers));
  expect(answer.status).toBe(200);
  expect(answer.headers.get('x-middleware-request-origin')).toBe(OWN);
  expect(answer.headers.get('x-middleware-request-x-forwarded-host')).toBe('pay.example');
});

test('a bank may send the buyer back by a form of its own', async () => {
  const headers = { origin: 'https://bank.example' };
  const post = (path: string) => proxy(new NextRequest(OWN + path, { method: 'POST', headers }));
  expect((await post('/pay/inv_1/return?attempt=pat_1')).status).toBe(200);
  expect((await post('/pay/inv_1?x=/pay/inv_1/return')).status).toBe(403);
});

test('404 for a call of an action that Next sends on to another page', async () => {
  const headers = { origin: OWN, 'x-action-forwarded': '1' };
  expect(proxy(form('/dashboard', headers)).status).toBe(404);
});

test.each([
  [OWN, true],
  ['http://pay.example', false],
])('the language that is chosen at %s is kept in a cookie: Secure %s', async (url, isSecure) => {
  servedAt(url);
  const answer = proxy(new NextRequest(`${url}/pay/inv_1?lang=ru`));
  expect(answer.status).toBe(303);
  const cookie = answer.headers.get('set-cookie') ?? '';
  expect(cookie).toContain('locale=ru');
  expect(/; Secure/i.test(cookie)).toBe(isSecure);
});
