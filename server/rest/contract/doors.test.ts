import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { getGlobalDispatcher } from 'undici';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { openPool } from '../../db/pool.ts';
import { projectRoot } from '../../settings/settings.ts';
import { createBody, createRestMerchant, type RestMerchant } from '../../testing/rest.ts';
import { type CallOptions, type CallResult, call } from '../../testing/rest-client.ts';

const pool = openPool(inject('doorsDatabaseUrl'), 2);
const [ours, next] = inject('doors');
let merchant: RestMerchant;

beforeAll(async () => {
  merchant = await createRestMerchant(pool);
});
afterAll(() => pool.end());

/** Of the doors, as their settings say. */
const PUBLIC_URL = 'http://localhost:1';

/** The id of an action in the build. */
function actionId(name: string): string {
  const file = join(projectRoot(), '.next', 'server', 'server-reference-manifest.json');
  const actions: { [id: string]: { exportedName: string } } = JSON.parse(
    readFileSync(file, 'utf8'),
  ).node;
  return Object.keys(actions).find((id) => actions[id]?.exportedName === name) ?? '';
}

/** Headers that belong to the connection or to Next's router, not to the answer. */
const TRANSPORT = [
  'connection',
  'content-length',
  'date',
  'keep-alive',
  'transfer-encoding',
  'vary',
];

/** What a merchant sees, without what differs between any two requests. */
function seen({ status, headers, text }: CallResult) {
  const own = Object.entries(headers).filter(([name]) => !TRANSPORT.includes(name));
  return {
    status,
    headers: Object.fromEntries(own.map(([name, value]) => [name, masked(String(value))])),
    text: masked(text),
  };
}

function masked(text: string): string {
  return text
    .replace(/inv_[0-9a-z]{35}/g, 'inv_…')
    .replace(/req_[0-9a-f]{18}_[0-9a-z]+/g, 'req_…')
    .replace(/"created_at":\d+/g, '"created_at":…')
    .replace(/clock reads \d+/g, 'clock reads …');
}

async function both(path: string, options: CallOptions) {
  const answers = [];
  for (const door of [ours, next]) {
    answers.push(seen(await call(`${door?.origin}${path}`, options)));
  }
  return answers;
}

const create = '/api/sandbox/invoice/create';
const status = '/api/sandbox/invoice/status';

const REQUESTS: [string, string, CallOptions | (() => CallOptions)][] = [
  ['an invalid create', create, { body: { amount: 0 } }],
  ['a create that is no JSON', create, { body: '{' }],
  ['an empty body', create, { body: '' }],
  ['no body at all', create, {}],
  ['a large body', create, { body: 'x'.repeat(300_000) }],
  ['a very large body', create, { body: 'x'.repeat(2_000_000) }],
  ['a wrong token', create, { credentials: null, body: '{}' }],
  ['a wrong method', create, { method: 'GET' }],
  ['OPTIONS', create, { method: 'OPTIONS' }],
  ['HEAD', status, { method: 'HEAD' }],
  ['a past end date', create, () => ({ body: createBody({ end_date: 1_700_000_000_000 }) })],
  ['a status without a query', status, { method: 'GET' }],
  ['an unknown invoice', `${status}?invoice_id=x`, { method: 'GET' }],
  ['a query with escapes', `${status}?invoice_id=%00%ff+a%2Bb`, { method: 'GET' }],
  ['a query with an open end', `${status}?&=&invoice_id`, { method: 'GET' }],
  ['an unknown environment', '/api/live/invoice/create', { body: '{}' }],
  ['an unknown path', '/api/sandbox/invoice/refund', { body: '{}' }],
  ['no path', '/api/sandbox', { method: 'GET' }],
  ['a slash at the end', `${create}/`, { body: '{}' }],
  ['an encoded letter', '/api/sandbox/invoice/%63reate', { body: '{}' }],
  ['dots', '/api/sandbox/x/../invoice/create', { body: '{}' }],
  ['an own X-Request-Id', status, { method: 'GET', headers: { 'x-request-id': 'mine-1' } }],
  ['an odd Content-Type', create, { body: '{}', headers: { 'content-type': 'text/html' } }],
  ['an odd Accept', create, { body: '{}', headers: { accept: 'text/html' } }],
  [
    'an internal header of Next',
    create,
    { body: '{}', headers: { 'x-middleware-subrequest': 'proxy' } },
  ],
];

describe('both doors answer alike', () => {
  test.each(REQUESTS)('%s', async (_title, path, request) => {
    const options = typeof request === 'function' ? request() : request;
    const [first, second] = await both(path, {
      credentials: merchant.sandbox,
      from: `192.0.2.${Math.floor(Math.random() * 256)}`,
      ...options,
    });
    expect(first).toEqual(second);
  });

  // Next's own start answers these by itself.
  test.each([
    '/api/sandbox/invoice/%ff',
    '/api/%ff/invoice/create?x=%ff',
    '/api/sandbox//invoice/create',
    '/api//sandbox/invoice/create',
  ])('our own server answers %s in the envelope', async (path) => {
    const answer = await fetch(`${ours?.origin}${path}`);
    expect(answer.status).toBe(404);
    expect(answer.headers.get('x-request-id')).toMatch(/./);
    expect(await answer.json()).toMatchObject({ result: false, error: { error_code: 404 } });
  });

  test.each([
    '/api/./sandbox/invoice/create',
    '/x/../api/sandbox/invoice/create',
    '/api/sandbox/invoice/%63reate',
    '/api/none',
  ])('our own server takes nobody at %s for a browser between two pages', async (path) => {
    // Whatever takes a URL resolves its dots on the way.
    const { statusCode, headers, body } = await getGlobalDispatcher().request({
      origin: ours?.origin ?? '',
      path,
      method: 'POST',
      headers: { rsc: '1' },
    });
    expect([401, 404]).toContain(statusCode);
    expect(headers['x-request-id']).toMatch(/./);
    expect(await body.json()).toMatchObject({ result: false, error: { error_code: statusCode } });
  });

  test.each(['POST', 'DELETE', 'OPTIONS'])(
    'our own server reads files only, %s is refused',
    async (method) => {
      for (const file of ['/robots.txt', '/samples/receive-callback.mjs']) {
        const answer = await fetch(`${ours?.origin}${file}`, { method });
        expect(answer.status).toBe(405);
        expect(answer.headers.get('allow')).toBe('GET, HEAD');
      }
      expect((await fetch(`${ours?.origin}/robots.txt`)).status).toBe(200);
    },
  );

  test.each(inject('doors'))(
    '$name brings along what an action leads to, behind TLS',
    async ({ origin }) => {
      const body = new FormData();
      body.set('_1_invoiceId', 'none');
      body.set('0', '["$undefined","$K1"]');
      const answer = await fetch(`${origin}/pay/none`, {
        method: 'POST',
        headers: {
          origin: PUBLIC_URL,
          'next-action': actionId('pay'),
          'x-forwarded-proto': 'https',
        },
        body,
      });
      expect(answer.headers.get('x-action-redirect')).toBe('/pay/unknown;push');
      expect(answer.headers.get('content-type')).toMatch(/^text\/x-component/);
      expect(await answer.text()).toContain('unknown');
    },
  );

  test.each(inject('doors'))(
    '$name refuses what Next sends on to another page',
    async ({ origin }) => {
      const headers = { 'x-action-forwarded': '1' };
      expect((await fetch(`${origin}/pay/none`, { method: 'POST', headers })).status).toBe(404);
    },
  );

  test('a form without a boundary to a path of the API is answered in the envelope', async () => {
    const answer = await call(`${ours?.origin}/api/live/invoice/create`, {
      body: '--x--',
      headers: { 'content-type': 'multipart/form-data' },
    });
    expect(answer).toMatchObject({ status: 404, json: { error: { error_code: 404 } } });
  });

  test('no form that cannot be read is answered with a 5xx, wherever it is posted', async () => {
    const forms: CallOptions['headers'][] = [
      { 'content-type': 'multipart/form-data' },
      { 'content-type': 'multipart/form-data; boundary=x' },
      { 'content-type': 'multipart/form-data; boundary=x', origin: 'rubbish' },
    ];
    const paths = [
      '/',
      '/pay/none',
      '/none',
      '/api/none',
      '/icon.svg',
      '/favicon.ico',
      '/readme/none',
    ];
    const answered: string[] = [];
    for (const path of paths) {
      for (const headers of forms) {
        const answer = await call(`${ours?.origin}${path}`, { body: '--x\r\ncut', headers });
        answered.push(`${path} ${JSON.stringify(headers)} ${answer.status}`);
      }
    }
    expect(answered.filter((each) => / 5\d\d$/.test(each))).toEqual([]);
  });

  test('our own server answers a long id with a 404, and a longer head with a 431', async () => {
    const read = (characters: number) =>
      call(`${ours?.origin}${status}?invoice_id=${'a'.repeat(characters)}`, {
        method: 'GET',
        credentials: merchant.sandbox,
      });
    for (const [characters, code] of [
      [17_000, 404],
      [60_000, 404],
      [70_000, 431],
    ] as const) {
      const { status: answered, headers, json } = await read(characters);
      expect(answered).toBe(code);
      expect(json).toMatchObject({ result: false, error: { error_code: code } });
      expect(headers['x-request-id']).toMatch(/./);
    }
  });

  test('a valid create', async () => {
    const answers = [];
    for (const door of [ours, next]) {
      const body = createBody({ merchant_transaction_id: `same-${door?.name}` });
      const options = { credentials: merchant.sandbox, body };
      const { end_date: endDate } = body;
      const answer = seen(await call(`${door?.origin}${create}`, options));
      const text = answer.text
        .replace(`same-${door?.name}`, 'same')
        .replace(String(endDate), 'end');
      answers.push({ ...answer, text });
    }
    expect(answers[0]).toEqual(answers[1]);
  });

  test('an invoice and an idempotency key made at one door are known at the other', async () => {
    const options = {
      credentials: merchant.sandbox,
      body: createBody(),
      headers: { 'idempotency-key': 'both doors' },
    };
    const first = await call(`${ours?.origin}${create}`, options);
    const second = await call(`${next?.origin}${create}`, options);
    expect(second.text).toBe(first.text);
  });

  test('the OpenAPI document', async () => {
    const [first, second] = await both('/api/openapi.json', { method: 'GET' });
    expect(first?.status).toBe(200);
    expect(first).toEqual(second);
  });
});
