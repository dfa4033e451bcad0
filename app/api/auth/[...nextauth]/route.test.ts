import { NextRequest } from 'next/server.js';
import { expect, test } from 'vitest';
import { POST } from './route.ts';

const ENDPOINT = 'http://localhost:3000/api/auth';

/** Next passes on the segments of a path decoded. */
const contextOf = (path: string) => ({
  params: Promise.resolve({ nextauth: path.split('/').map(decodeURIComponent) }),
});

async function told(answer: Response, status = 400): Promise<unknown> {
  expect(answer.status).toBe(status);
  return ((await answer.json()) as { message: unknown }).message;
}

test.each<[string, Record<string, string>]>([
  ['another site', { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }],
  ['another site, in a browser that says no more', { origin: 'https://evil.example' }],
  ['a neighbouring host', { origin: 'http://shop.localhost:3000', 'sec-fetch-site': 'same-site' }],
  ['nowhere', {}],
])('403 for a post from %s, whatever its token', async (_from, headers) => {
  const body = 'csrfToken=x&email=a@b.example&password=p';
  for (const path of ['callback/credentials', 'signin/oidc', 'signout']) {
    const length = String(body.length);
    const type = 'application/x-www-form-urlencoded';
    const all = { ...headers, 'content-type': type, 'content-length': length };
    const request = new NextRequest(`${ENDPOINT}/${path}`, { method: 'POST', headers: all, body });
    const message = await told(await POST(request, contextOf(path)), 403);
    expect(message).toBe('This request did not come from a page of the gateway.');
  }
});
