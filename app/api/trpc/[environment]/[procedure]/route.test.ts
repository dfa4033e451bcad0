import { afterAll, expect, test, vi } from 'vitest';
import { GET, POST } from './route.ts';

// No request here has a session, so that no connection is ever made.
vi.stubEnv('DATABASE_URL', 'postgresql://127.0.0.1:9/nobody');
vi.stubEnv('SECRETS_KEY', Buffer.alloc(32, 1).toString('base64'));
afterAll(() => {
  vi.useRealTimers();
  vi.unstubAllEnvs();
});

const ORIGIN = 'http://localhost:3000';
const CALL = '{"json":null}';
const contextOf = (procedure: string) => ({
  params: Promise.resolve({ environment: 'sandbox', procedure }),
});

type Told = { error: { json: { message: string; data: { code: string; httpStatus: number } } } };

/** Makes a call like our own pages', unless `headers` differ; nobody is signed in. */
async function call(
  headers: Record<string, string> = {},
  procedure = 'account.endOtherSessions',
  body: BodyInit = CALL,
) {
  const sent = {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'content-length': String(CALL.length),
      'sec-fetch-site': 'same-origin',
      ...headers,
    },
    body,
    duplex: 'half',
  };
  const request = new Request(`${ORIGIN}/api/trpc/sandbox/${procedure}`, sent);
  const answer = await POST(request, contextOf(procedure));
  return { answer, told: (await answer.json()) as Told };
}

function expectSafeHeaders({ headers }: Response): void {
  expect(Object.fromEntries(headers)).toMatchObject({
    'cache-control': 'no-store',
    'x-frame-options': 'DENY',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'cross-origin-resource-policy': 'same-origin',
  });
  expect(headers.get('access-control-allow-origin')).toBeNull();
}

test.each<[string, number, Record<string, string>]>([
  ['another site', 403, { 'sec-fetch-site': 'cross-site' }],
  ['another origin', 403, { origin: 'https://evil.example' }],
])('%s is refused with %i before a session is looked for', async (_, status, headers) => {
  const { answer, told } = await call(headers);
  expect(answer.status).toBe(status);
  expectSafeHeaders(answer);
  expect(told.error.json.data.httpStatus).toBe(status);
  const russian = await call({ ...headers, cookie: 'locale=ru' });
  expect(russian.told.error.json.message).toMatch(/[а-яё]/i);
});

test('what an earlier version could do is refused with the advice to load the page again', async () => {
  const { answer, told } = await call({}, 'account.doWhatIsGone');
  expect(answer.status).toBe(412);
  expectSafeHeaders(answer);
  expect(told.error.json).toMatchObject({
    message: 'This page is from an earlier version of the gateway. Reload it.',
    data: { code: 'PRECONDITION_FAILED' },
  });
  const gone = new Request(`${ORIGIN}/api/trpc/sandbox/account.isGone`);
  expect((await GET(gone, contextOf('account.isGone'))).status).toBe(412);
});

test('a HEAD has no body, and is no fault of ours', async () => {
  const request = new Request(`${ORIGIN}/api/trpc/sandbox/account.current`, {
    method: 'HEAD',
    headers: {
      'content-type': 'application/json',
      'content-length': '2',
      'sec-fetch-site': 'same-origin',
    },
  });
  expect((await GET(request, contextOf('account.current'))).status).toBe(204);
});

test('a refusal stands in the language of the screen, the cookie before the browser', async () => {
  const english = await call();
  expect(english.answer.status).toBe(401);
  expectSafeHeaders(english.answer);
  expect(english.told.error.json.message).toBe('Sign in first.');
  const russian = await call({ cookie: 'locale=ru', 'accept-language': 'en' });
  expect(russian.told.error.json).toMatchObject({
    message: 'Сначала войдите.',
    data: { code: 'UNAUTHORIZED' },
  });
  const uzbek = await call({ cookie: 'locale=uz' });
  expect(uzbek.told.error.json.message).toBe('Avval tizimga kiring.');
});

// This test is the last one, because this address has no calls left afterwards.
test('a flood from one address is refused in words that a screen can show', async () => {
  // The clock stands still, so that a slow machine gets no new calls meanwhile.
  vi.useFakeTimers({ toFake: ['Date'] });
  const statuses = new Set<number>();
  for (let nth = 0; nth < 600 && !statuses.has(429); nth += 1) {
    statuses.add((await call({ origin: 'https://evil.example' })).answer.status);
  }
  expect([...statuses]).toEqual([403, 429]);
  const { answer, told } = await call({ cookie: 'locale=ru' });
  expect(answer.status).toBe(429);
  expect(Number(answer.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
  expectSafeHeaders(answer);
  expect(told.error.json).toMatchObject({
    message: 'Слишком много запросов. Подождите немного и попробуйте снова.',
    data: { code: 'TOO_MANY_REQUESTS' },
  });
});
