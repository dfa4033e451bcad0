import { afterAll, beforeAll, expect, test } from 'vitest';
import { oneByOneInvoices } from '../invoices/merchant-invoices.ts';
import { createLogger } from '../observability/log.ts';
import { RestHandler } from '../rest/handler.ts';
import { settings } from '../settings/settings.ts';
import { createTestDatabase, type TestDatabase } from '../testing/database/database.ts';
import { createRestMerchant } from '../testing/rest.ts';
import { openApiDocument } from './openapi.ts';
import { callbackExample, createdExample, createExample } from './openapi-examples.ts';

type Operation = {
  requestBody?: { content: { 'application/json': { example: object } } };
  responses: {
    [status: string]: {
      content: { 'application/json': { examples: { [name: string]: { value: object } } } };
    };
  };
};

const ORIGIN = 'https://pay.example';
const LIMITS = { rateLimitPerSecond: 200, rateLimitBurst: 1000, failedAuthPerMinute: 300 };
const document = JSON.parse(JSON.stringify(openApiDocument(ORIGIN)));
let database: TestDatabase;
let handler: RestHandler;
let nowMs: number;

beforeAll(async () => {
  database = await createTestDatabase();
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

/** Replaces ids and this gateway's address by those of the examples. */
function asInExamples(text: string, invoiceId: string): string {
  expect(shapeOf(invoiceId)).toBe(shapeOf(createdExample.invoice_id));
  const shown = text.replaceAll(invoiceId, createdExample.invoice_id);
  return shown.replaceAll(settings().publicUrl, ORIGIN);
}

/** `inv_01kb…` → `inv_35`: its kind and length. */
const shapeOf = (id: string) => id.replace(/[0-9a-z]+$/, ({ length }) => String(length));

/** A merchant's server with one invoice, made from the example. */
async function openShop() {
  nowMs = createdExample.created_at;
  const { sandbox } = await createRestMerchant(database.pool);
  const send = async (path: string, body: object | null) => {
    const headers: { [name: string]: string } = { 'content-type': 'application/json', ...sandbox };
    const answer = await handler.handle({
      method: body === null ? 'GET' : 'POST',
      path: `/api/sandbox${path.split('?')[0]}`,
      query: new URLSearchParams(path.split('?')[1]),
      header: (name) => headers[name] ?? null,
      readBody: async () => Buffer.from(JSON.stringify(body)),
      remoteAddress: '192.0.2.1',
    });
    return { status: answer.status, text: String(answer.body) };
  };
  const created = await send('/invoice/create', createExample);
  const invoiceId: string = JSON.parse(created.text).data.invoice_id;
  const answered = async (path: string, body: object | null) => {
    const { status, text } = await send(path, body);
    return { status, text: asInExamples(text, invoiceId) };
  };
  return { created: asInExamples(created.text, invoiceId), invoiceId, answered };
}

const operationOf = (path: string, method: string): Operation => document.paths[path][method];

test('the created invoice of the document is what the example of its request gives', async () => {
  const { requestBody, responses } = operationOf('/invoice/create', 'post');
  expect(requestBody?.content['application/json'].example).toEqual(createExample);
  const { created } = await openShop();
  const shown = responses['200']?.content['application/json'].examples.created?.value;
  expect(created).toBe(JSON.stringify(shown));
});

test.each([
  ['/invoice/cancel', 'canceled', {}],
  ['/test/invoice/pay', 'paid', {}],
  ['/test/invoice/pay', 'declined', { outcome: 'insufficient_funds' }],
  ['/test/invoice/pay', 'processing', { outcome: 'slow_approved' }],
  ['/test/invoice/expire', 'expired', {}],
])('the answer of %s in the document is a real one: %s', async (path, name, more) => {
  const { invoiceId, answered } = await openShop();
  const answer = await answered(path, { invoice_id: invoiceId, ...more });
  const { content } = operationOf(path, 'post').responses['200'] ?? {};
  const shown = content?.['application/json'].examples[name]?.value;
  expect(answer).toEqual({ status: 200, text: JSON.stringify(shown) });
});

test('the status and the callback of a paid invoice in the document are real ones', async () => {
  const { invoiceId, answered } = await openShop();
  nowMs = callbackExample.updated_at;
  await answered('/test/invoice/pay', { invoice_id: invoiceId });
  const answer = await answered(`/invoice/status?invoice_id=${invoiceId}`, null);
  const { content } = operationOf('/invoice/status', 'get').responses['200'] ?? {};
  const shown = content?.['application/json'].examples.paid?.value;
  expect(answer).toEqual({ status: 200, text: JSON.stringify(shown) });

  const { rows } = await database.pool.query<{ body: Buffer; id: string }>(
    `SELECT c.body, p.authorisation_id AS id
     FROM callbacks c JOIN payment_attempts p ON p.invoice_id = c.invoice_id
     WHERE c.invoice_id = $1`,
    [invoiceId],
  );
  const { body, id } = rows[0] ?? { body: Buffer.from(''), id: '' };
  const { transaction_id } = callbackExample.extra_data;
  expect(shapeOf(id)).toBe(shapeOf(transaction_id));
  const told = asInExamples(body.toString(), invoiceId).replaceAll(id, transaction_id);
  expect(told).toBe(JSON.stringify(callbackExample));
});

test('the details and the list of a paid invoice in the document are real ones', async () => {
  const { invoiceId, answered } = await openShop();
  nowMs = callbackExample.updated_at;
  await answered('/test/invoice/pay', { invoice_id: invoiceId });
  const { rows } = await database.pool.query<{ id: string }>(
    'SELECT authorisation_id AS id FROM payment_attempts WHERE invoice_id = $1',
    [invoiceId],
  );
  for (const [path, query, name] of [
    ['/invoice/details', `invoice_id=${invoiceId}`, 'paid'],
    ['/invoice/list', 'status=2', 'last'],
  ] as const) {
    const { status, text } = await answered(`${path}?${query}`, null);
    const { content } = operationOf(path, 'get').responses['200'] ?? {};
    const shown = content?.['application/json'].examples[name]?.value;
    const { transaction_id } = callbackExample.extra_data;
    const told = text.replaceAll(rows[0]?.id ?? '', transaction_id);
    expect([path, status, told]).toEqual([path, 200, JSON.stringify(shown)]);
  }
});

test.each([
  ['/invoice/create', 'post', { ...createExample, amount: 0, positions: undefined }],
  ['/invoice/cancel', 'post', {}],
  ['/invoice/status', 'get', null],
  ['/invoice/details', 'get', null],
  ['/invoice/list?cursor=x', 'get', null],
  ['/callback/resend', 'post', {}],
  ['/test/invoice/pay', 'post', {}],
  ['/test/invoice/expire', 'post', {}],
])('the faults of %s in the document are real ones', async (path, method, body) => {
  const { answered } = await openShop();
  const answer = await answered(path, body);
  const { content } = operationOf(path.replace(/\?.*/, ''), method).responses['422'] ?? {};
  const shown = content?.['application/json'].examples.faults?.value;
  expect(answer).toEqual({ status: 422, text: JSON.stringify(shown) });
});
