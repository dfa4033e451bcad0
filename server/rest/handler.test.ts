import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { rememberFinal } from '../invoices/final-views.ts';
import { coalescedInvoices } from '../invoices/merchant-invoices.ts';
import { createToken, deactivateToken, listTokens } from '../merchants/tokens.ts';
import { createLogger } from '../observability/log.ts';
import { createTestDatabase, type TestDatabase } from '../testing/database/database.ts';
import {
  type Credentials,
  createBody,
  createRestMerchant,
  type RestMerchant,
} from '../testing/rest.ts';
import { RestHandler } from './handler.ts';

type Options = {
  method?: string;
  headers?: { [name: string]: string };
  body?: string;
  query?: string;
  address?: string;
};

let database: TestDatabase;
let handler: RestHandler;
let merchant: RestMerchant;
let nowMs = Date.now();

const LIMITS = { rateLimitPerSecond: 200, rateLimitBurst: 1000, failedAuthPerMinute: 300 };

function openHandler(
  limits = LIMITS,
  invoices = rememberFinal(coalescedInvoices(database.pool)),
): RestHandler {
  const context = {
    db: database.pool,
    invoices,
    publicUrl: 'http://localhost:1',
    clock: () => new Date(nowMs),
    log: createLogger('silent'),
  };
  return new RestHandler(context, limits, database.url);
}

async function send(path: string, options: Options = {}, to = handler) {
  const { method = 'POST', headers = {}, body = '', query = '', address = '192.0.2.1' } = options;
  const all: { [name: string]: string } = { 'content-type': 'application/json', ...headers };
  const answer = await to.handle({
    method,
    path: `/api/${path}`,
    query: new URLSearchParams(query),
    header: (name) => all[name] ?? null,
    readBody: async (limit) => (body.length > limit ? null : Buffer.from(body)),
    remoteAddress: address,
  });
  return { ...answer, text: String(answer.body), json: JSON.parse(String(answer.body)) };
}

function create(credentials: Credentials, body: object, headers: { [name: string]: string } = {}) {
  const options = { headers: { ...credentials, ...headers }, body: JSON.stringify(body) };
  return send('sandbox/invoice/create', options);
}

const status = (query: string, credentials: Credentials = merchant.sandbox) =>
  send('sandbox/invoice/status', { method: 'GET', headers: { ...credentials }, query });

beforeAll(async () => {
  database = await createTestDatabase();
  merchant = await createRestMerchant(database.pool);
  handler = openHandler();
  await handler.ready;
});

afterAll(async () => {
  await handler.close();
  await database.drop();
});

describe('a create whose answer was lost', () => {
  test('is replayed byte for byte under its key, even after its end date', async () => {
    const body = createBody({ end_date: nowMs + 60_000 });
    const key = { 'idempotency-key': `key ${nowMs}` };
    const first = await create(merchant.sandbox, body, key);
    expect(first.status).toBe(200);
    expect((await create(merchant.sandbox, body, key)).text).toBe(first.text);
    nowMs += 61_000;
    expect((await create(merchant.sandbox, body, key)).text).toBe(first.text);
    const another = await create(merchant.sandbox, body, { 'idempotency-key': 'unused' });
    expect(another.status).toBe(422);
    nowMs += 24 * 3_600_000;
    expect((await create(merchant.sandbox, body, key)).status).toBe(422);
  });

  test('is 422 when the key comes with another body, and 409 stays 409', async () => {
    const body = createBody({ end_date: nowMs + 60_000 });
    const key = { 'idempotency-key': 'reused' };
    await create(merchant.sandbox, body, key);
    const reused = await create(merchant.sandbox, { ...body, amount: 1 }, key);
    expect(reused.json.detail).toMatchObject([
      { loc: ['header', 'Idempotency-Key'], type: 'value_error' },
    ]);
    const other = { 'idempotency-key': 'refused' };
    expect((await create(merchant.sandbox, body, other)).status).toBe(409);
    expect((await create(merchant.sandbox, body, other)).status).toBe(409);
    nowMs += 61_000;
    expect((await create(merchant.sandbox, body, other)).status).toBe(409);
  });
});

describe('tokens', () => {
  test('create and status each cost one statement once the token is known', async () => {
    const body = createBody({ end_date: nowMs + 60_000 });
    const { json } = await create(merchant.sandbox, body);
    const statements: string[] = [];
    const { query } = database.pool;
    database.pool.query = ((...args: Parameters<typeof query>) => {
      statements.push((args[0] as { name?: string }).name ?? 'unnamed');
      return query.apply(database.pool, args);
    }) as typeof query;
    try {
      await status(`invoice_id=${json.data.invoice_id}`);
      await create(merchant.sandbox, createBody({ end_date: nowMs + 60_000 }));
    } finally {
      database.pool.query = query;
    }
    // The journal is written beside the requests, whenever a batch is due.
    const ofRequests = statements.filter((name) => name !== 'api_requests_record');
    expect(ofRequests).toEqual(['status_by_id', 'create_invoice']);
  });

  test('a deactivated token is refused at once, also where it was cached', async () => {
    const other = await createRestMerchant(database.pool);
    expect((await status('invoice_id=x', other.sandbox)).status).toBe(404);
    const { rows } = await database.pool.query<{ id: string }>(
      `SELECT id FROM api_tokens WHERE merchant_id = $1 AND environment = 'sandbox'`,
      [other.id],
    );
    const tokenId = rows[0]?.id ?? '';
    const token = { merchantId: other.id, environment: 'sandbox', tokenId } as const;
    await deactivateToken(database.pool, { ...token, now: new Date(nowMs) });
    await expect.poll(async () => (await status('invoice_id=x', other.sandbox)).status).toBe(401);
  });

  test('a token ends when it expires, also where it was cached', async () => {
    const other = await createRestMerchant(database.pool);
    await database.pool.query(
      `UPDATE api_tokens SET expires_at = $2 WHERE merchant_id = $1 AND environment = 'sandbox'`,
      [other.id, new Date(nowMs + 2_000)],
    );
    expect((await status('invoice_id=x', other.sandbox)).status).toBe(404);
    nowMs += 1_999;
    expect((await status('invoice_id=x', other.sandbox)).status).toBe(404);
    nowMs += 1;
    expect((await status('invoice_id=x', other.sandbox)).status).toBe(401);
  });

  const askBy = async (own: typeof handler, { sandbox }: RestMerchant) => {
    const options = { method: 'GET', headers: { ...sandbox }, query: 'invoice_id=x' };
    return (await send('sandbox/invoice/status', options, own)).status;
  };

  test('a dead token lives five seconds at most, even where no word of its end arrives', async () => {
    const other = await createRestMerchant(database.pool);
    // A separate handler, so that no late notification about earlier changes arrives.
    const own = openHandler();
    await own.ready;
    const ask = () => askBy(own, other);
    expect(await ask()).toBe(404);
    // There is no NOTIFY, as if the listener's connection hung.
    await database.pool.query(
      `UPDATE api_tokens SET deactivated_at = now() WHERE merchant_id = '${other.id}'`,
    );
    nowMs += 4_999;
    expect(await ask()).toBe(404);
    nowMs += 1;
    expect(await ask()).toBe(401);
    await own.close();
  });

  test('nothing is served from the cache after its listener was cut off', async () => {
    const other = await createRestMerchant(database.pool);
    const own = openHandler();
    await own.ready;
    const ask = () => askBy(own, other);
    expect(await ask()).toBe(404);
    await database.pool.query(
      `UPDATE api_tokens SET deactivated_at = now() WHERE merchant_id = '${other.id}'`,
    );
    await database.pool.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE datname = current_database() AND application_name = 'payment-gateway tokens'`,
    );
    await expect.poll(ask).toBe(401);
    await own.close();
  });

  test('the last use is written, not within the request', async () => {
    const other = await createRestMerchant(database.pool);
    const own = openHandler();
    const options = {
      method: 'GET',
      headers: { ...other.sandbox },
      query: 'invoice_id=x',
      address: '::ffff:192.0.2.77',
    };
    await send('sandbox/invoice/status', options, own);
    const asked = { merchantId: other.id, environment: 'sandbox', now: new Date(nowMs) } as const;
    const lastUse = async () => (await listTokens(database.pool, asked)).tokens[0];
    expect(await lastUse()).toMatchObject({ lastUsedAtMs: null, lastUsedFor: null });
    await own.close();
    expect(await lastUse()).toMatchObject({
      lastUsedAtMs: nowMs,
      lastUsedFor: '/invoice/status',
      lastUsedFrom: '192.0.2.77',
    });
  });
});

describe('limits', () => {
  test('429 with Retry-After beyond the token’s burst; another of the merchant is not touched', async () => {
    const own = openHandler({ ...LIMITS, rateLimitPerSecond: 1, rateLimitBurst: 2 });
    const second = { merchantId: merchant.id, environment: 'sandbox', name: 'second' } as const;
    const { token } = await createToken(database.pool, { ...second, now: new Date(nowMs) });
    const ask = (credentials: Credentials, query = 'invoice_id=x') =>
      send('sandbox/invoice/status', { method: 'GET', headers: { ...credentials }, query }, own);
    expect((await ask(merchant.sandbox)).status).toBe(404);
    // The limit comes before validation, and an invalid request counts.
    expect((await ask(merchant.sandbox, '')).status).toBe(422);
    const limited = await ask(merchant.sandbox, '');
    expect(limited.status).toBe(429);
    expect(limited.headers['retry-after']).toBe('1');
    expect(limited.json.error.error_code).toBe(429);
    const other = { ...merchant.sandbox, authorization: `Bearer ${token}` };
    expect((await ask(other)).status).toBe(404);
    nowMs += 1000;
    expect((await ask(merchant.sandbox)).status).toBe(404);
    await own.close();
  });

  test('an address with too many failures gets 429, but known tokens pass from there', async () => {
    const own = openHandler({ ...LIMITS, failedAuthPerMinute: 3 });
    await own.ready;
    const stranger = await createRestMerchant(database.pool);
    const ask = (headers: object, address: string) =>
      send(
        'sandbox/invoice/status',
        {
          method: 'GET',
          headers: { ...headers },
          query: 'invoice_id=x',
          address,
        },
        own,
      );
    const wrong = { ...merchant.sandbox, authorization: 'Bearer wrong' };
    expect((await ask(merchant.sandbox, '192.0.2.7')).status).toBe(404);
    for (let guess = 0; guess < 3; guess++) {
      expect((await ask(wrong, '192.0.2.7')).status).toBe(401);
    }
    expect((await ask(wrong, '192.0.2.7')).status).toBe(429);
    expect((await ask({}, '192.0.2.7')).status).toBe(429);
    expect((await ask(stranger.sandbox, '192.0.2.7')).status).toBe(429);
    expect((await ask(stranger.sandbox, '192.0.2.8')).status).toBe(404);
    nowMs += 6_000;
    expect((await ask(merchant.sandbox, '192.0.2.7')).status).toBe(404);
    await own.close();
  });
});

test('503 with Retry-After at once for those of a merchant beyond what may wait, nobody else’s', async () => {
  const own = openHandler(LIMITS, coalescedInvoices(database.pool, { rowsWaiting: 8 }));
  await own.ready;
  const ask = (environment: 'sandbox' | 'production') => {
    const options = { method: 'GET', headers: { ...merchant[environment] }, query: 'invoice_id=x' };
    return send(`${environment}/invoice/status`, options, own);
  };
  // Known tokens come in the same turn.
  await Promise.all([ask('sandbox'), ask('production')]);
  const many = Promise.all(Array.from({ length: 20 }, () => ask('sandbox')));
  const other = ask('production');
  const answers = await many;
  expect((await other).status).toBe(404);
  const refused = answers.filter(({ status: code }) => code === 503);
  expect(answers.filter(({ status: code }) => code === 404)).toHaveLength(4);
  expect(refused).toHaveLength(16);
  expect(refused[0]?.headers['retry-after']).toBe('1');
  expect(refused[0]?.json).toEqual({
    result: false,
    data: null,
    error: { message: 'Service is busy', error_code: 503 },
  });
  await own.close();
});

test('500 in the envelope says nothing when PostgreSQL is gone', async () => {
  const context = {
    publicUrl: '',
    clock: () => new Date(nowMs),
    log: createLogger('silent'),
  };
  const gone = await createTestDatabase();
  const invoices = rememberFinal(coalescedInvoices(gone.pool));
  const own = new RestHandler({ ...context, db: gone.pool, invoices }, LIMITS, gone.url);
  await own.ready;
  await gone.drop();
  const options = { method: 'GET', headers: { ...merchant.sandbox }, query: 'invoice_id=x' };
  const answer = await send('sandbox/invoice/status', options, own);
  expect(answer.status).toBe(500);
  expect(answer.text).toBe(
    '{"result":false,"data":null,"error":{"message":"Internal server error","error_code":500}}',
  );
  expect(answer.headers['x-request-id']).toMatch(/^req_/);
  await own.close();
});

test('an invoice past its end date reads EXPIRED at once, and at its end date still PENDING', async () => {
  const { json } = await create(merchant.sandbox, createBody({ end_date: nowMs + 5_000 }));
  const read = async () =>
    (await status(`invoice_id=${json.data.invoice_id}`)).json.data.status as number;
  nowMs += 5_000;
  expect(await read()).toBe(1);
  nowMs += 1;
  expect(await read()).toBe(3);
});

test('a cancel ignores unknown fields whatever their numbers and depth, but not text that nobody can keep', async () => {
  const cancel = (fields: string) =>
    send('sandbox/invoice/cancel', {
      headers: merchant.sandbox,
      body: `{"invoice_id":"inv_unknown",${fields}}`,
    });
  const deep = `${'['.repeat(40)}${']'.repeat(40)}`;
  for (const fields of [
    '"merchant_data":{"n":9007199254740993}',
    `"merchant_data":{"n":${deep}}`,
    '"amount":1.0000000000000000001',
  ]) {
    expect((await cancel(fields)).status, fields).toBe(404);
  }
  for (const fields of ['"x":"\\u0000"', '"x":"\\ud800"', '"__proto__":1']) {
    expect((await cancel(fields)).status, fields).toBe(422);
  }
});

test.each([['%00'], [`${'x'.repeat(5000)}`], ['%ff%fe'], ['inv_%F0%9F%98%80']])(
  '404 for the odd invoice_id %.12s',
  async (odd) => {
    expect((await status(`invoice_id=${odd}`)).status).toBe(404);
    expect((await status(`merchant_transaction_id=${odd}`)).status).toBe(404);
  },
);
