import { afterAll, beforeAll, expect, test } from 'vitest';
import { oneByOneInvoices } from '../../invoices/merchant-invoices.ts';
import { createToken } from '../../merchants/tokens.ts';
import type { Scope } from '../../merchants/types.ts';
import { createLogger } from '../../observability/log.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/database/database.ts';
import { createBody, createRestMerchant, type RestMerchant, sendTo } from '../../testing/rest.ts';
import { RestHandler } from '../handler.ts';

const LIMITS = { rateLimitPerSecond: 200, rateLimitBurst: 1000, failedAuthPerMinute: 300 };
const ORIGIN = 'http://localhost:1';

let database: TestDatabase;
let handler: RestHandler;
let merchant: RestMerchant;
let nowMs = Date.now();

beforeAll(async () => {
  database = await createTestDatabase(10);
  merchant = await createRestMerchant(database.pool);
  const context = {
    db: database.pool,
    invoices: oneByOneInvoices(database.pool),
    publicUrl: ORIGIN,
    clock: () => new Date(nowMs),
    log: createLogger('silent'),
  };
  handler = new RestHandler(context, LIMITS, database.url);
});
afterAll(async () => {
  await handler.close();
  await database.drop();
});

type Asked = { credentials?: object; environment?: 'sandbox' | 'production' };

function send(path: string, body: object | null = null, asked: Asked = {}) {
  const { environment = 'sandbox', credentials: headers = merchant[environment] } = asked;
  return sendTo(handler, path, { environment, headers, body });
}

async function created(overrides: object = {}) {
  const body = createBody({ end_date: nowMs + 3_600_000, ...overrides });
  const { json } = await send('/invoice/create', body);
  return { body, data: json.data, id: String(json.data.invoice_id) };
}

test('the details are all that was given, what became of it, and the state of the callback', async () => {
  const { body, data, id } = await created({ merchant_data: { b: 1, 10: [2.5], 9: 'é😀' } });
  const { success_url, error_url, ...rest } = data;
  const given = { ...rest, success_url, error_url, callback_url: body.callback_url };
  const first = await send(`/invoice/details?invoice_id=${id}`);
  expect(first.json.data).toEqual({
    ...given,
    positions: body.positions,
    updated_at: data.created_at,
    extra_data: {},
    refunded_amount: 0,
    callback: null,
  });
  expect(first.text).toContain('"merchant_data":{"9":"é😀","10":[2.5],"b":1}');
  const name = encodeURIComponent(String(body.merchant_transaction_id));
  const byName = await send(`/invoice/details?merchant_transaction_id=${name}`);
  expect(byName.text).toBe(first.text);

  nowMs += 1000;
  await send('/test/invoice/pay', { invoice_id: id });
  const { json } = await send(`/invoice/details?invoice_id=${id}`);
  expect(json.data).toMatchObject({ status: 2, updated_at: nowMs });
  expect(json.data.extra_data).toMatchObject({ provider: 'sandbox' });
  expect(json.data.callback).toMatchObject({ state: 'pending', attempts: 0 });
  expect(json.data.callback.next_attempt_at).toBeLessThanOrEqual(nowMs);
});

test('what was refunded stands in the details and in the list', async () => {
  const everything = await createToken(database.pool, {
    merchantId: merchant.id,
    environment: 'sandbox',
    name: 'refunds',
    scopes: ['refunds.write'],
    now: new Date(),
  });
  const credentials = { authorization: `Bearer ${everything.token}`, 'x-merchant': merchant.id };
  const { id } = await created();
  await send('/test/invoice/pay', { invoice_id: id });
  const refund = { invoice_id: id, refund_transaction_id: 'r-1', amount: 400 };
  expect((await send('/invoice/refund', refund, { credentials })).status).toBe(200);
  const { json } = await send(`/invoice/details?invoice_id=${id}`);
  expect(json.data).toMatchObject({ status: 2, refunded_amount: 400 });
  const { callback: _, ...record } = json.data;
  const list = await send('/invoice/list?limit=1');
  expect(list.json.data.invoices).toEqual([record]);
});

test('details past the end date are EXPIRED at once, and the callback is due', async () => {
  const { id } = await created({ end_date: nowMs + 10 });
  nowMs += 11;
  const { json } = await send(`/invoice/details?invoice_id=${id}`);
  expect(json.data).toMatchObject({ status: 3, updated_at: nowMs });
  expect(json.data.callback).toMatchObject({ state: 'pending' });
});

test('an invoice of nobody, or of the other environment, has no details', async () => {
  const { id } = await created();
  for (const query of [`invoice_id=${id}0`, 'merchant_transaction_id=%00', 'invoice_id=x']) {
    const { status, json } = await send(`/invoice/details?${query}`);
    expect([query, status, json.error?.message]).toEqual([query, 404, 'Invoice not found']);
  }
  const live = await send(`/invoice/details?invoice_id=${id}`, null, { environment: 'production' });
  expect(live.status).toBe(404);
});

test('the list is newest first, page by page', async () => {
  const own = await createRestMerchant(database.pool);
  const credentials = own.sandbox;
  const ids: string[] = [];
  for (const currency of ['USD', 'UZS', 'USD']) {
    nowMs += 1;
    const positions = [{ title: 'Ticket', amount: 1500, currency }];
    const body = createBody({ end_date: nowMs + 3_600_000, currency, positions });
    const { json } = await send('/invoice/create', body, { credentials });
    ids.unshift(json.data.invoice_id);
  }
  const idsOf = (answer: { json: { data: { invoices: { invoice_id: string }[] } } }) =>
    answer.json.data.invoices.map(({ invoice_id }) => invoice_id);
  const first = await send('/invoice/list?limit=2', null, { credentials });
  expect(idsOf(first)).toEqual(ids.slice(0, 2));
  const cursor = first.json.data.next_cursor;
  const second = await send(`/invoice/list?limit=2&cursor=${cursor}`, null, { credentials });
  expect(idsOf(second)).toEqual(ids.slice(2));
  expect(second.json.data.next_cursor).toBeNull();
  const dollars = await send('/invoice/list?currency=USD&status=1', null, { credentials });
  expect(idsOf(dollars)).toEqual([ids[0], ids[2]]);
  const none = await send('/invoice/list?paid_from=0', null, { credentials });
  expect(none.json.data).toEqual({ invoices: [], next_cursor: null });
});

test('each fault of a list’s query is told, all at once', async () => {
  const cursorOfPayment = Buffer.from('5:inv_1').toString('base64url');
  const { status, json } = await send(
    '/invoice/list?status=PAID&currency=GBP&created_from=-1&created_to=x&paid_to=999999999999999&limit=0&cursor=abc',
  );
  expect(status).toBe(422);
  expect(json.detail).toEqual([
    { loc: ['query', 'status'], msg: 'Input should be 1, 2, 3 or 4', type: 'enum' },
    {
      loc: ['query', 'currency'],
      msg: "Input should be 'USD', 'EUR', 'RUB' or 'UZS'",
      type: 'enum',
    },
    {
      loc: ['query', 'created_from'],
      msg: 'Input should be greater than -1',
      type: 'greater_than',
    },
    { loc: ['query', 'created_to'], msg: 'Input should be a valid integer', type: 'int_type' },
    {
      loc: ['query', 'paid_to'],
      msg: 'Input should be less than or equal to 253402300799999',
      type: 'less_than_equal',
    },
    { loc: ['query', 'limit'], msg: 'Input should be greater than 0', type: 'greater_than' },
    {
      loc: ['query', 'cursor'],
      msg: 'Value error, this is no next_cursor of this list',
      type: 'value_error',
    },
  ]);
  for (const query of [
    'limit=201',
    'limit=1&limit=2',
    'cursor=',
    `cursor=${cursorOfPayment}`,
    `cursor=${Buffer.from('inv_1').toString('base64url')}&paid_from=0`,
    `cursor=${Buffer.from('inv_1').toString('base64url')}=`,
  ]) {
    expect([query, (await send(`/invoice/list?${query}`)).status]).toEqual([query, 422]);
  }
  expect((await send(`/invoice/list?cursor=${cursorOfPayment}&paid_from=0`)).status).toBe(200);
});

test('a token needs the scope of what it reads or resends', async () => {
  const { id } = await created();
  await send('/invoice/cancel', { invoice_id: id });
  const withScopes = async (scopes: Scope[]) => {
    const wanted = { merchantId: merchant.id, environment: 'sandbox', name: 'x' } as const;
    const { token } = await createToken(database.pool, { ...wanted, scopes, now: new Date() });
    const credentials = { authorization: `Bearer ${token}`, 'x-merchant': merchant.id };
    const answers = [
      await send(`/invoice/details?invoice_id=${id}`, null, { credentials }),
      await send('/invoice/list', null, { credentials }),
      await send('/callback/resend', { invoice_id: id }, { credentials }),
    ];
    return answers.map(({ status }) => status);
  };
  expect(await withScopes(['invoices.read'])).toEqual([200, 200, 403]);
  expect(await withScopes(['callbacks.write'])).toEqual([403, 403, 200]);
});

test('a resend works in production too, and the audit log names the token', async () => {
  const environment = 'production';
  const body = createBody({ end_date: nowMs + 3_600_000 });
  const { json } = await send('/invoice/create', body, { environment });
  const invoice_id = String(json.data.invoice_id);
  const early = await send('/callback/resend', { invoice_id }, { environment });
  expect([early.status, early.json.error.message]).toEqual([404, 'Invoice has no callback yet']);
  await send('/invoice/cancel', { invoice_id }, { environment });
  const answer = await send('/callback/resend', { invoice_id }, { environment });
  expect([answer.status, answer.json.data]).toEqual([200, { invoice_id }]);
  const { rows } = await database.pool.query(
    'SELECT actor_type, actor_label, action FROM audit_log WHERE target_id = $1',
    [invoice_id],
  );
  expect(rows).toEqual([
    { actor_type: 'api', actor_label: 'API token', action: 'callback.resend' },
  ]);
});

type Events = { events: { type: string; invoice_id: string }[]; next_cursor: string };

/** Reads on from a cursor until an event of this type is there. */
async function eventsUntil(type: string, credentials: object, after = '') {
  const events: Events['events'] = [];
  let cursor = after;
  const look = async () => {
    const query = cursor === '' ? '' : `?after=${cursor}`;
    const { json } = await send(`/event/list${query}`, null, { credentials });
    const data: Events = json.data;
    cursor = data.next_cursor;
    events.push(...data.events);
    return events.some((event) => event.type === type);
  };
  await expect.poll(look, { timeout: 20_000 }).toBe(true);
  return { events, cursor };
}

test('events come in the order in which they happened, on from the cursor that was kept', async () => {
  const credentials = (await createRestMerchant(database.pool)).sandbox;
  const empty = await send('/event/list', null, { credentials });
  expect(empty.json.data.events).toEqual([]);
  const begun: string = empty.json.data.next_cursor;
  const again = await send(`/event/list?after=${begun}&limit=1`, null, { credentials });
  expect(again.text).toBe(empty.text);

  const body = createBody({ end_date: nowMs + 3_600_000 });
  const { json } = await send('/invoice/create', body, { credentials });
  const invoice_id = String(json.data.invoice_id);
  const first = await eventsUntil('invoice.created', credentials, begun);
  const data = {
    merchant_transaction_id: body.merchant_transaction_id,
    status: 1,
    amount: 1500,
    currency: 'USD',
    extra_data: {},
  };
  const tail = invoice_id.slice('inv_'.length);
  const created = { event_id: `evt_created_${tail}`, type: 'invoice.created', at: nowMs };
  expect(first.events).toEqual([{ ...created, invoice_id, data }]);

  await send('/invoice/cancel', { invoice_id }, { credentials });
  const second = await eventsUntil('invoice.canceled', credentials, first.cursor);
  const canceled = { event_id: `evt_canceled_${tail}`, type: 'invoice.canceled', at: nowMs };
  expect(second.events).toEqual([{ ...canceled, invoice_id, data: { ...data, status: 4 } }]);
  const nothing = await send(`/event/list?after=${second.cursor}`, null, { credentials });
  expect(nothing.json.data).toEqual({ events: [], next_cursor: second.cursor });
});

test('a bad cursor or limit of the events is refused', async () => {
  const ofInvoices = Buffer.from('inv_1').toString('base64url');
  for (const query of ['after=x', 'after=', `after=${ofInvoices}`, 'limit=0', 'limit=1001']) {
    expect([query, (await send(`/event/list?${query}`)).status]).toEqual([query, 422]);
  }
});
