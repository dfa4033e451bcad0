import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { openPool } from '../../db/pool.ts';
import { createBody, createRestMerchant, type RestMerchant } from '../../testing/rest.ts';
import { type CallOptions, call } from '../../testing/rest-client.ts';

const pool = openPool(inject('contractDatabaseUrl'), 2);
let merchant: RestMerchant;
let suspended: RestMerchant;

beforeAll(async () => {
  merchant = await createRestMerchant(pool);
  suspended = await createRestMerchant(pool);
  await pool.query(`UPDATE merchants SET status = 'suspended' WHERE id = $1`, [suspended.id]);
});
afterAll(() => pool.end());

/** Each endpoint with a request that is valid except for its token. */
const ENDPOINTS: { path: string; method: 'GET' | 'POST'; body?: () => object }[] = [
  { path: '/invoice/create', method: 'POST', body: () => createBody() },
  { path: '/invoice/status?invoice_id=x', method: 'GET' },
  { path: '/invoice/cancel', method: 'POST', body: () => ({ invoice_id: 'x' }) },
  { path: '/invoice/refund', method: 'POST', body: () => ({ invoice_id: 'x' }) },
  { path: '/invoice/refunds?invoice_id=x', method: 'GET' },
  { path: '/test/invoice/pay', method: 'POST', body: () => ({ invoice_id: 'x' }) },
  { path: '/test/invoice/expire', method: 'POST', body: () => ({ invoice_id: 'x' }) },
];
const POSTS = ENDPOINTS.filter(({ method }) => method === 'POST');
const LIMIT_BYTES = 256 * 1024;
// Failures are counted by address, and these tests make more than one address may.
const address = () =>
  `198.51.${Math.floor(Math.random() * 256)}.${Math.floor(Math.random() * 256)}`;

const envelope = (code: number, message: string) => ({
  result: false,
  data: null,
  error: { message, error_code: code },
});

const locs = (answer: { json: unknown }) =>
  (answer.json as { detail: { loc: unknown[]; type: string }[] }).detail.map(
    ({ loc, type }) => `${type} ${loc.join('/')}`,
  );

describe.each(inject('transports'))('$name', ({ origin }) => {
  const sandbox = `${origin}/api/sandbox`;
  const send = (path: string, options: CallOptions) =>
    call(`${sandbox}${path}`, { credentials: merchant.sandbox, from: address(), ...options });

  describe.each(ENDPOINTS)('$method $path', ({ path, method, body }) => {
    const valid = (options: CallOptions = {}) => send(path, { method, body: body?.(), ...options });
    const bare = path.split('?')[0] ?? path;

    test('401 in the envelope for every way of not being authorised', async () => {
      const { authorization } = merchant.sandbox;
      const own = { 'x-merchant': merchant.id };
      const ways: CallOptions[] = [
        { credentials: null },
        { credentials: null, headers: own },
        { credentials: null, headers: { authorization } },
        { headers: { authorization: 'Bearer ' } },
        { headers: { authorization: 'Bearer wrong' } },
        { headers: { authorization: authorization.replace('Bearer', 'Basic') } },
        { headers: { 'x-merchant': suspended.id } },
        { headers: { 'x-merchant': '' } },
        { credentials: merchant.production },
        { credentials: suspended.sandbox },
      ];
      for (const way of ways) {
        const answer = await valid(way);
        expect(answer.json).toEqual(envelope(401, 'Unauthorized'));
        expect(answer.status).toBe(401);
        expect(answer.headers['x-request-id']).toMatch(/^req_/);
      }
    });

    test('401 comes before 422, 413 before 401', async () => {
      const unauthorised = { credentials: null };
      if (method === 'GET') {
        expect((await send(bare, { method, ...unauthorised })).status).toBe(401);
        return;
      }
      expect((await send(path, { body: '{', ...unauthorised })).status).toBe(401);
      const large = ' '.repeat(LIMIT_BYTES + 1);
      expect((await send(path, { body: large, ...unauthorised })).status).toBe(413);
    });

    test('405 with Allow for every other method, before everything else', async () => {
      const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD'] as const;
      for (const wrong of methods.filter((each) => each !== method)) {
        const answer = await send(bare, { method: wrong, credentials: null });
        expect([wrong, answer.status]).toEqual([wrong, 405]);
        expect(answer.headers.allow).toBe(method);
        if (wrong !== 'HEAD') expect(answer.json).toEqual(envelope(405, 'Method not allowed'));
      }
    });

    test('the caller’s X-Request-Id comes back when it is sane, ours otherwise', async () => {
      const sane = await valid({ headers: { 'x-request-id': 'a.B-9_' } });
      expect(sane.headers['x-request-id']).toBe('a.B-9_');
      for (const id of ['a b', 'x'.repeat(129), '<script>']) {
        const answer = await valid({ headers: { 'x-request-id': id } });
        expect(answer.headers['x-request-id']).toMatch(/^req_[0-9a-z_]+$/);
      }
    });
  });

  describe.each(POSTS)('the body of $path', ({ path, body: valid }) => {
    const post = (body: CallOptions['body'], more: CallOptions = {}) =>
      send(path, { body, ...more });

    test('413 in the envelope at 256 KiB + 1, and not at 256 KiB', async () => {
      const filled = (bytes: number) => `{"x":"${'y'.repeat(bytes - 8)}"}`;
      expect((await post(filled(LIMIT_BYTES))).status).toBe(422);
      const answer = await post(filled(LIMIT_BYTES + 1));
      expect(answer.status).toBe(413);
      expect(answer.json).toMatchObject({ result: false, error: { error_code: 413 } });
    });

    test.each([
      ['', 'json_invalid body'],
      ['{', 'json_invalid body'],
      ['[]', 'model_attributes_type body'],
      ['"x"', 'model_attributes_type body'],
      [new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]), 'json_invalid body'],
    ])('422 for a body that is no JSON object: %s', async (body, fault) => {
      const answer = await post(body);
      expect([answer.status, ...locs(answer)]).toEqual([422, fault]);
    });

    test.each([
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
    ])('422 for Content-Type %s', async (type) => {
      const answer = await post('{}', { headers: { 'content-type': type } });
      expect([answer.status, ...locs(answer)]).toEqual([422, 'model_attributes_type body']);
    });

    test('422 without a Content-Type, be the body valid', async () => {
      const answer = await fetch(`${sandbox}${path}`, {
        method: 'POST',
        headers: { ...merchant.sandbox, 'x-forwarded-for': address() },
        body: new Blob([JSON.stringify(valid?.())]),
      });
      const json = await answer.json();
      expect([answer.status, ...locs({ json })]).toEqual([422, 'model_attributes_type body']);
    });

    test.each(['\\u0000', '\\ud800', '\\udc00x'])('422 for "%s" anywhere', async (text) => {
      const answer = await post(`{"other":{"deep":["${text}"]}}`);
      expect(answer.status).toBe(422);
      expect(locs(answer)).toContain('value_error body/other/deep/0');
    });

    test('422 for a __proto__ key', async () => {
      const answer = await post('{"other":{"__proto__":{}}}');
      expect(locs(answer)).toContain('value_error body/other/__proto__');
    });
  });

  test.each(['/invoice/cancel', '/test/invoice/pay', '/test/invoice/expire'])(
    'invoice_id of %s: 422 when missing, null, empty or no string; 404 when unknown',
    async (path) => {
      const faults: [object, string][] = [
        [{}, 'missing'],
        [{ invoice_id: null }, 'string_type'],
        [{ invoice_id: 7 }, 'string_type'],
        [{ invoice_id: '' }, 'string_too_short'],
      ];
      for (const [body, fault] of faults) {
        const answer = await send(path, { body });
        expect([answer.status, ...locs(answer)]).toEqual([422, `${fault} body/invoice_id`]);
      }
      for (const id of ['x', 'x'.repeat(10_000), '💥', "' OR 1=1 --", 'a\0b', 'a\ud800b']) {
        const answer = await send(path, { body: { invoice_id: id } });
        expect(answer.json).toEqual(envelope(404, 'Invoice not found'));
        expect(answer.status).toBe(404);
      }
    },
  );

  test.each([
    ['', 'missing query/invoice_id'],
    ['invoice_id=', 'string_too_short query/invoice_id'],
    ['merchant_transaction_id=', 'string_too_short query/merchant_transaction_id'],
    ['invoice_id=a&invoice_id=b', 'value_error query/invoice_id'],
    ['invoice_id=a&merchant_transaction_id=b', 'value_error query/merchant_transaction_id'],
  ])('422 for the status query "%s"', async (query, fault) => {
    const answer = await send(`/invoice/status?${query}`, { method: 'GET' });
    expect([answer.status, ...locs(answer)]).toEqual([422, fault]);
  });

  test.each(['invoice_id', 'merchant_transaction_id'])(
    '404 for the status of an unknown %s',
    async (name) => {
      for (const id of ['x', 'x'.repeat(255), '💥', "' OR 1=1 --"]) {
        const query = `${name}=${encodeURIComponent(id)}`;
        const answer = await send(`/invoice/status?${query}`, { method: 'GET' });
        expect(answer.json).toEqual(envelope(404, 'Invoice not found'));
        expect(answer.status).toBe(404);
      }
    },
  );

  test('all faults of a create come at once', async () => {
    const answer = await send('/invoice/create', {
      body: { amount: 0, currency: 'GBP', positions: [{ title: 1 }], success_url: 'javascript:1' },
      headers: { 'idempotency-key': 'x'.repeat(256) },
    });
    expect(answer.status).toBe(422);
    expect(locs(answer)).toEqual([
      'string_too_long header/Idempotency-Key',
      'greater_than body/amount',
      'enum body/currency',
      'missing body/description',
      'missing body/end_date',
      'string_type body/positions/0/title',
      'missing body/positions/0/amount',
      'missing body/positions/0/currency',
      'missing body/merchant_transaction_id',
      'url_scheme body/success_url',
      'missing body/error_url',
      'missing body/callback_url',
    ]);
  });

  test('409 for a merchant_transaction_id that was used', async () => {
    const body = createBody();
    await send('/invoice/create', { body });
    const again = await send('/invoice/create', { body });
    const message = 'Invoice with this merchant_transaction_id already exists';
    expect(again.json).toEqual(envelope(409, message));
    expect(again.status).toBe(409);
  });

  test.each([
    '/api/sandbox',
    '/api/sandbox/invoice',
    '/api/sandbox/invoice/create/more',
    '/api/live/invoice/create',
    '/api/Sandbox/invoice/create',
    '/api/production/test/invoice/pay',
    '/api/production/test/invoice/expire',
    '/api/sandbox/invoice/CREATE',
  ])('404 in the envelope for %s', async (path) => {
    const answer = await call(`${origin}${path}`, { body: '{}', credentials: merchant.sandbox });
    expect(answer.json).toEqual(envelope(404, 'Not found'));
    expect(answer.status).toBe(404);
  });
});
