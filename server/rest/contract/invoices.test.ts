import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { openPool } from '../../db/pool.ts';
import { MAX_ATTEMPTS } from '../../payments/card-testing.ts';
import { createBody, createRestMerchant, type RestMerchant } from '../../testing/rest.ts';
import { type CallOptions, call } from '../../testing/rest-client.ts';

const pool = openPool(inject('contractDatabaseUrl'), 2);
let merchant: RestMerchant;
let other: RestMerchant;

beforeAll(async () => {
  merchant = await createRestMerchant(pool);
  other = await createRestMerchant(pool);
});
afterAll(() => pool.end());

type Data = { [field: string]: unknown };
const dataOf = (answer: { json: unknown }) => (answer.json as { data: Data }).data;
const STATUS_FIELDS = ['invoice_id', 'status', 'end_date'];

describe.each(inject('transports'))('$name', ({ origin }) => {
  const sandbox = `${origin}/api/sandbox`;
  const post = (path: string, body: CallOptions['body'], more: CallOptions = {}) =>
    call(`${sandbox}${path}`, { credentials: merchant.sandbox, body, ...more });
  const read = (query: string, credentials = merchant.sandbox, base = sandbox) =>
    call(`${base}/invoice/status?${query}`, { method: 'GET', credentials });
  const createdId = async (overrides: Data = {}) =>
    String(dataOf(await post('/invoice/create', createBody(overrides))).invoice_id);

  test('create answers the invoice in the envelope, every field as the contract has it', async () => {
    const body = createBody({ merchant_data: { b: 1, 10: [2.5, null], 9: 'é😀' } });
    const answer = await post('/invoice/create', body);
    expect(answer.status).toBe(200);
    expect(answer.headers['content-type']).toBe('application/json');
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(Object.keys(answer.json ?? {})).toEqual(['result', 'data', 'error']);
    expect(answer.json).toMatchObject({ result: true, error: null });
    const { invoice_id: id, created_at: createdAt, ...data } = dataOf(answer);
    expect(id).toMatch(/^inv_[0-9a-hjkmnp-tv-z]{35}$/);
    expect(Math.abs(Number(createdAt) - Date.now())).toBeLessThan(60_000);
    expect(data).toEqual({
      invoice_url: `http://localhost:1/pay/${id}`,
      success_url: body.success_url,
      error_url: body.error_url,
      status: 1,
      amount: 1500,
      currency: 'USD',
      description: 'Two tickets',
      merchant_transaction_id: body.merchant_transaction_id,
      merchant_data: body.merchant_data,
      end_date: body.end_date,
    });
  });

  test('merchant_data comes back with its own key order and spelling', async () => {
    const text = '{"b":1,"10": [ 1.50 ],"9":"\\u00e9","b":2}';
    const body = JSON.stringify(createBody()).replace('{', `{"merchant_data":${text},`);
    const answer = await post('/invoice/create', body);
    expect(answer.text).toContain(`"merchant_data":${text},"end_date"`);
  });

  test.each([[{}], [{ merchant_data: null }]])(
    'no merchant_data (%j) comes back as null',
    async (field) => {
      const answer = await post('/invoice/create', createBody(field));
      expect(dataOf(answer).merchant_data).toBeNull();
    },
  );

  test('unknown fields are ignored', async () => {
    expect((await post('/invoice/create', createBody({ tip: 1 }))).status).toBe(200);
  });

  test('status is read by invoice_id and by merchant_transaction_id', async () => {
    const body = createBody({ merchant_transaction_id: `Заказ №${Math.random()} & co?` });
    const id = dataOf(await post('/invoice/create', body)).invoice_id;
    const byId = await read(`invoice_id=${id}`);
    expect(byId.status).toBe(200);
    expect(Object.keys(dataOf(byId))).toEqual(STATUS_FIELDS);
    expect(dataOf(byId)).toEqual({ invoice_id: id, status: 1, end_date: body.end_date });
    const name = encodeURIComponent(String(body.merchant_transaction_id));
    expect((await read(`merchant_transaction_id=${name}`)).text).toBe(byId.text);
  });

  test('of 50 equal creates at once one is 200 and 49 are 409', async () => {
    const body = createBody();
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => post('/invoice/create', body)),
    );
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses).toEqual([200, ...new Array(49).fill(409)]);
    const { rows } = await pool.query(
      'SELECT 1 FROM invoices WHERE merchant_id = $1 AND merchant_transaction_id = $2',
      [merchant.id, body.merchant_transaction_id],
    );
    expect(rows).toHaveLength(1);
  });

  test('of 50 equal creates with one Idempotency-Key all get the same bytes', async () => {
    const body = createBody();
    const headers = { 'idempotency-key': `all-${body.merchant_transaction_id}` };
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => post('/invoice/create', body, { headers })),
    );
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(answers[0]?.status).toBe(200);
    const changed = await post('/invoice/create', { ...body, amount: 2 }, { headers });
    expect(changed.status).toBe(422);
  });

  test('the same values written in another way get the same bytes under one key', async () => {
    const body = createBody({
      amount: 1500,
      merchant_data: { order: { id: 7, name: 'x' }, '10': 1, more: [1, 2] },
    });
    const headers = { 'idempotency-key': `values-${body.merchant_transaction_id}` };
    const send = (text: string) => post('/invoice/create', text, { headers });
    const first = await send(JSON.stringify(body));
    expect(first.status).toBe(200);
    const { positions, merchant_data: _, ...fields } = body;
    const others = [
      JSON.stringify(body, null, 2),
      JSON.stringify(Object.fromEntries(Object.entries(body).reverse())),
      JSON.stringify(body).replaceAll('"amount":1500', '"amount":1500.0'),
      JSON.stringify(body).replaceAll('"amount":1500', '"amount":15e2'),
      JSON.stringify(body).replace('Ticket', 'T\\u0069cket'),
      JSON.stringify({ ...body, unknown: 1 }),
      JSON.stringify({ ...fields, positions }).replace(
        /}$/,
        ',"merchant_data":{"more":[1.0,2],"order":{"name":"x","id":7},"10":1}}',
      ),
    ];
    for (const other of others) {
      expect(other).not.toBe(JSON.stringify(body));
      expect(await send(other)).toMatchObject({ status: 200, text: first.text });
    }
    for (const more of [
      [2, 1],
      [1, 2, 3],
      ['1', 2],
    ]) {
      const merchant_data = { order: { id: 7, name: 'x' }, '10': 1, more };
      expect((await send(JSON.stringify({ ...body, merchant_data }))).status).toBe(422);
    }
  });

  test('the same merchant_transaction_id is free for another merchant and environment', async () => {
    const body = createBody();
    expect((await post('/invoice/create', body)).status).toBe(200);
    expect((await post('/invoice/create', body, { credentials: other.sandbox })).status).toBe(200);
    const production = await call(`${origin}/api/production/invoice/create`, {
      credentials: merchant.production,
      body,
    });
    expect(production.status).toBe(200);
  });

  test('an invoice is 404 to another merchant and in the other environment', async () => {
    const body = createBody();
    const id = dataOf(await post('/invoice/create', body)).invoice_id;
    const production = `${origin}/api/production`;
    const queries = [`invoice_id=${id}`, `merchant_transaction_id=${body.merchant_transaction_id}`];
    for (const query of queries) {
      expect((await read(query, other.sandbox)).status).toBe(404);
      expect((await read(query, merchant.production, production)).status).toBe(404);
    }
    for (const path of ['/invoice/cancel', '/test/invoice/pay', '/test/invoice/expire']) {
      const answer = await post(path, { invoice_id: id }, { credentials: other.sandbox });
      expect(answer.status, path).toBe(404);
    }
    expect(dataOf(await read(`invoice_id=${id}`)).status).toBe(1);
  });

  test('cancel is 200 with status 4, also when it is repeated', async () => {
    const id = await createdId();
    const first = await post('/invoice/cancel', { invoice_id: id });
    expect(first.status).toBe(200);
    expect(Object.keys(dataOf(first))).toEqual(STATUS_FIELDS);
    expect(dataOf(first).status).toBe(4);
    expect((await post('/invoice/cancel', { invoice_id: id })).text).toBe(first.text);
    const { rows } = await pool.query('SELECT 1 FROM callbacks WHERE invoice_id = $1', [id]);
    expect(rows).toHaveLength(1);
  });

  test('a paid invoice cannot be cancelled, nor an expired one', async () => {
    const paid = await createdId();
    const pay = await post('/test/invoice/pay', { invoice_id: paid });
    expect(dataOf(pay)).toMatchObject({ status: 2, decline_reason: null });
    const refused = await post('/invoice/cancel', { invoice_id: paid });
    expect(refused.status).toBe(409);
    expect(refused.json?.error).toEqual({
      message: 'Invoice cannot be cancelled: it is already PAID',
      error_code: 409,
    });
    const expired = await createdId();
    expect(dataOf(await post('/test/invoice/expire', { invoice_id: expired })).status).toBe(3);
    expect((await post('/invoice/cancel', { invoice_id: expired })).json?.error).toEqual({
      message: 'Invoice cannot be cancelled: it is already EXPIRED',
      error_code: 409,
    });
    expect(dataOf(await read(`invoice_id=${expired}`)).status).toBe(3);
  });

  test.each([
    ['/invoice/cancel', 'cancelled'],
    ['/test/invoice/expire', 'expired'],
    ['/test/invoice/pay', 'paid'],
  ])('%s is 409 while a payment is being completed', async (path, participle) => {
    const id = await createdId();
    const claim = `UPDATE invoices SET capture_attempt_id = 'pay_x' WHERE id = $1`;
    await pool.query(claim, [id]);
    const refused = await post(path, { invoice_id: id });
    expect(refused.status).toBe(409);
    expect(refused.json).toEqual({
      result: false,
      data: null,
      error: {
        message: `Invoice cannot be ${participle}: a payment is being completed`,
        error_code: 409,
      },
    });
    expect(dataOf(await read(`invoice_id=${id}`)).status).toBe(1);
  });

  test('a test payment is 409 when too many attempts were made', async () => {
    const id = await createdId();
    await pool.query(
      `INSERT INTO payment_attempts (id, invoice_id, status, provider, amount_minor, currency,
         card_brand, card_last4, created_at, updated_at)
       SELECT 'pay_' || n || $1::text, $1, 'declined', 'sandbox', 1500, 'USD', 'visa', '0002',
         now(), now()
       FROM generate_series(1, $2::int) n`,
      [id, MAX_ATTEMPTS],
    );
    const refused = await post('/test/invoice/pay', { invoice_id: id });
    expect(refused.status).toBe(409);
    expect(refused.json?.error).toEqual({
      message: 'Invoice cannot be paid: too many attempts were made',
      error_code: 409,
    });
    expect(dataOf(await read(`invoice_id=${id}`)).status).toBe(1);
  });

  test('a declined test payment leaves the invoice PENDING and says why', async () => {
    const id = await createdId();
    const outcome = 'insufficient_funds';
    const declined = await post('/test/invoice/pay', { invoice_id: id, outcome });
    expect(declined.status).toBe(200);
    expect(dataOf(declined)).toMatchObject({ status: 1, decline_reason: outcome });
    const retry = { invoice_id: id, outcome: 'challenge_approved' };
    expect(dataOf(await post('/test/invoice/pay', retry)).status).toBe(2);
    const again = await post('/test/invoice/pay', { invoice_id: id });
    expect(again.json?.error).toMatchObject({ error_code: 409 });
  });
});
