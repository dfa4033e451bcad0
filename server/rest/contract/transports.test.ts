import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { get } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { openPool } from '../../db/pool.ts';
import { projectRoot } from '../../settings/settings.ts';
import { createBody, createRestMerchant, type RestMerchant } from '../../testing/rest.ts';
import { type CallOptions, type CallResult, call } from '../../testing/rest-client.ts';

const pool = openPool(inject('contractDatabaseUrl'), 2);
const [ours, next] = inject('transports');
let merchant: RestMerchant;

beforeAll(async () => {
  merchant = await createRestMerchant(pool);
});
afterAll(() => pool.end());

/** The transports' settings name it. */
const PUBLIC_URL = 'http://localhost:1';

/** The id of an action in the build. */
function actionId(name: string): string {
  const file = join(projectRoot(), '.next', 'server', 'server-reference-manifest.json');
  const actions: { [id: string]: { exportedName: string } } = JSON.parse(
    readFileSync(file, 'utf8'),
  ).node;
  return Object.keys(actions).find((id) => actions[id]?.exportedName === name) ?? '';
}

/** Headers of the connection, of Next's router or of our own server, not of the answer. */
const TRANSPORT = [
  'connection',
  'content-length',
  'date',
  'keep-alive',
  'transfer-encoding',
  'vary',
  'x-content-type-options',
];

/** What a merchant sees, without the parts that differ between any two requests. */
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
  for (const transport of [ours, next]) {
    answers.push(seen(await call(`${transport?.origin}${path}`, options)));
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
  ['an own X-Request-Id', status, { method: 'GET', headers: { 'x-request-id': 'mine-1' } }],
  ['an odd Content-Type', create, { body: '{}', headers: { 'content-type': 'text/html' } }],
  ['an odd Accept', create, { body: '{}', headers: { accept: 'text/html' } }],
];

describe('both transports answer alike', () => {
  test.each(REQUESTS)('%s', async (_title, path, request) => {
    const options = typeof request === 'function' ? request() : request;
    const [first, second] = await both(path, {
      credentials: merchant.sandbox,
      from: `192.0.2.${Math.floor(Math.random() * 256)}`,
      ...options,
    });
    expect(first).toEqual(second);
  });

  // Next's own server answers these by itself.
  test.each([
    '/api/sandbox/invoice/%ff',
    '/api/%ff/invoice/create?x=%ff',
    '/api/sandbox//invoice/create',
  ])('our own server answers %s in the envelope', async (path) => {
    const answer = await fetch(`${ours?.origin}${path}`);
    expect(answer.status).toBe(404);
    expect(answer.headers.get('x-request-id')).toMatch(/./);
    expect(await answer.json()).toMatchObject({ result: false, error: { error_code: 404 } });
  });

  test.each(inject('transports'))(
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

  test('our own server answers a long id with a 404, and a longer head with a 431', async () => {
    const read = (characters: number) =>
      call(`${ours?.origin}${status}?invoice_id=${'a'.repeat(characters)}`, {
        method: 'GET',
        credentials: merchant.sandbox,
      });
    for (const characters of [17_000, 60_000]) {
      const { status: answered, headers, json } = await read(characters);
      expect(answered).toBe(404);
      expect(json).toMatchObject({ result: false, error: { error_code: 404 } });
      expect(headers['x-request-id']).toMatch(/./);
    }
    expect((await read(70_000)).status).toBe(431);
  });

  // Next adds a listener for upgrades to the server of the first page it serves, and ends them.
  test('who would rather speak HTTP/2 is answered as everybody, after a page as well', async () => {
    await fetch(`${ours?.origin}/pay/none`);
    const asked = get(`${ours?.origin}${status}?invoice_id=x`, {
      headers: {
        connection: 'Upgrade, HTTP2-Settings',
        upgrade: 'h2c',
        'http2-settings': 'AAMA',
        ...merchant.sandbox,
      },
    });
    const [answer] = await once(asked, 'response');
    expect(answer.resume().statusCode).toBe(404);
  });

  test('a valid create', async () => {
    const answers = [];
    for (const transport of [ours, next]) {
      const body = createBody({ merchant_transaction_id: `same-${transport?.name}` });
      const options = { credentials: merchant.sandbox, body };
      const { end_date: endDate } = body;
      const answer = seen(await call(`${transport?.origin}${create}`, options));
      const text = answer.text
        .replace(`same-${transport?.name}`, 'same')
        .replace(String(endDate), 'end');
      answers.push({ ...answer, text });
    }
    expect(answers[0]).toEqual(answers[1]);
  });

  test('an invoice and an idempotency key made through one transport are known to the other', async () => {
    const options = {
      credentials: merchant.sandbox,
      body: createBody(),
      headers: { 'idempotency-key': 'both transports' },
    };
    const first = await call(`${ours?.origin}${create}`, options);
    const second = await call(`${next?.origin}${create}`, options);
    expect(second.text).toBe(first.text);
  });

  test('the OpenAPI document', async () => {
    const [first, second] = await both('/api/openapi.json', { method: 'GET' });
    expect(first?.status).toBe(200);
    // Our own server gives every answer an id; this answer does not come from the REST handler.
    const headers = { ...second?.headers, 'x-request-id': 'req_…' };
    expect(first).toEqual({ ...second, headers });
  });
});
