import { afterAll, beforeAll, expect, test } from 'vitest';
import { createSender } from '../callbacks/http/send.ts';
import { AttemptLog } from '../callbacks/queue/attempt-log.ts';
import type { DeliveryContext } from '../callbacks/queue/deliver.ts';
import { expireDueInvoices } from '../invoices/expire.ts';
import { coalescedInvoices } from '../invoices/merchant-invoices.ts';
import { createLogger } from '../observability/log.ts';
import { payInvoice } from '../payments/pay.ts';
import { testCardFor } from '../payments/providers/sandbox/test-cards.ts';
import {
  deliverOnce,
  openShop,
  type Shop,
  TEST_SECRET,
  testContext,
} from '../testing/callbacks.ts';
import { createTestDatabase, type TestDatabase } from '../testing/database/database.ts';
import { cardWith } from '../testing/payments.ts';
import { createBody, createRestMerchant, type RestMerchant } from '../testing/rest.ts';
import { RestHandler } from './handler.ts';

// One id finds all of an operator's log lines, from a merchant's call to its callback.

const LIMITS = { rateLimitPerSecond: 200, rateLimitBurst: 1000, failedAuthPerMinute: 300 };
const PRIVATE = 'what-only-the-merchant-knows';

type Line = { [field: string]: unknown };

let database: TestDatabase;
let merchant: RestMerchant;
let shop: Shop;
let handler: RestHandler;
let text = '';
const log = createLogger('info', {
  write: (line: string) => {
    text += line;
  },
});
const attempts = new AttemptLog(log);

beforeAll(async () => {
  database = await createTestDatabase();
  merchant = await createRestMerchant(database.pool);
  shop = await openShop((response) => {
    response.writeHead(302, { location: `http://127.0.0.1/?token=${PRIVATE}` }).end();
  });
  const invoices = coalescedInvoices(database.pool);
  const clock = () => new Date();
  const context = { db: database.pool, invoices, publicUrl: 'http://localhost:1', clock, log };
  handler = new RestHandler(context, LIMITS, database.url);
  await handler.ready;
});
afterAll(async () => {
  await handler.close();
  await shop.close();
  await database.drop();
});

/** Calls the sandbox with the caller's own request id. */
async function call(path: string, requestId: string, body: object): Promise<string> {
  const headers: { [name: string]: string } = {
    'content-type': 'application/json',
    'x-request-id': requestId,
    ...merchant.sandbox,
  };
  const answer = await handler.handle({
    method: 'POST',
    path: `/api/sandbox${path}`,
    query: new URLSearchParams(),
    header: (name) => headers[name] ?? null,
    readBody: async () => Buffer.from(JSON.stringify(body)),
    remoteAddress: '192.0.2.1',
  });
  const { data } = JSON.parse(String(answer.body)) as { data: { invoice_id: string } };
  return data.invoice_id;
}

/** An invoice of the merchant whose callback goes to the shop. */
function create(requestId: string): Promise<string> {
  const callback_url = `${shop.url}?key=${PRIVATE}`;
  const merchant_data = { note: PRIVATE };
  return call('/invoice/create', requestId, createBody({ callback_url, merchant_data }));
}

async function delivered(more: Partial<DeliveryContext> = {}): Promise<Line[]> {
  // A failed callback is due again five seconds later; this clock is later than all of these tests.
  const clock = () => new Date(Date.now() + 3_600_000);
  const context = testContext(database.pool, { attempts, clock, ...more });
  const given = { now: new Date(Date.now() + 1_000), limit: 10 };
  expect(await deliverOnce(context, given)).toMatchObject({ attempted: 1 });
  await context.sender.close();
  attempts.flush();
  const lines = text.trim().split('\n');
  return lines
    .map((line) => JSON.parse(line) as Line)
    .filter(({ msg }) => /^callback/.test(`${msg}`));
}

test('an attempt is logged under the id of the call that changed the status', async () => {
  const paid = await create('trail-create-1');
  await call('/test/invoice/pay', 'trail-pay', { invoice_id: paid });
  expect((await delivered()).at(-1)).toMatchObject({
    level: 'info',
    requestId: 'trail-pay',
    merchantId: merchant.id,
    environment: 'sandbox',
    invoiceId: paid,
    attempt: 1,
    trigger: 'schedule',
    outcome: 'failed',
    status: 302,
  });
  const canceled = await create('trail-create-2');
  await call('/invoice/cancel', 'trail-cancel', { invoice_id: canceled });
  const line = (await delivered()).at(-1);
  expect(line).toMatchObject({ requestId: 'trail-cancel', invoiceId: canceled });
});

test('a failure without words of ours is logged with its cause', async () => {
  const invoiceId = await create('trail-create-5');
  await call('/invoice/cancel', 'trail-cause', { invoice_id: invoiceId });
  await database.pool.query('UPDATE callbacks SET url = $2 WHERE invoice_id = $1', [
    invoiceId,
    `http://shop.example/?key=${PRIVATE}`,
  ]);
  const clock = () => new Date();
  // The error of this machine's firewall.
  const barred = Object.assign(new Error('operation not permitted'), { code: 'EPERM' });
  const sender = createSender({ network: 'local', clock, resolve: () => Promise.reject(barred) });
  expect((await delivered({ sender })).at(-1)).toMatchObject({
    requestId: 'trail-cause',
    reason: 'the request failed',
    cause: 'EPERM: operation not permitted',
  });
});

test('under that of the create where a buyer did it, whose own id stands in the history', async () => {
  const { pool } = database;
  const invoiceId = await create('trail-create-6');
  const paid = await payInvoice(pool, invoiceId, cardWith(testCardFor('approved').number), {
    clock: () => new Date(),
    actor: { type: 'buyer', requestId: 'trail-buyer' },
    waitMs: 10_000,
    onLateError: (error) => {
      throw error;
    },
  });
  expect(paid).toMatchObject({ attempt: { status: 'captured' } });
  const line = (await delivered()).at(-1);
  expect(line).toMatchObject({ requestId: 'trail-create-6', invoiceId });
  const { rows } = await pool.query(
    'SELECT actor_type, request_id FROM invoice_events WHERE invoice_id = $1',
    [invoiceId],
  );
  expect(rows).toEqual([{ actor_type: 'buyer', request_id: 'trail-buyer' }]);
});

test('under that of the create where the clock did it', async () => {
  const invoiceId = await create('trail-create-3');
  await database.pool.query('UPDATE invoices SET end_date = created_at WHERE id = $1', [invoiceId]);
  await expireDueInvoices(database.pool, { now: new Date(Date.now() + 1_000), limit: 10 });
  const line = (await delivered()).at(-1);
  expect(line).toMatchObject({ requestId: 'trail-create-3', invoiceId });
});

test.each([
  ['/invoice/cancel', 'api'],
  ['/test/invoice/pay', 'test'],
  ['/test/invoice/expire', 'test'],
])('the history of an invoice says which token %s came with', async (path, type) => {
  const { pool } = database;
  const { rows: tokens } = await pool.query<{ id: string }>(
    `SELECT id FROM api_tokens WHERE merchant_id = $1 AND environment = 'sandbox'`,
    [merchant.id],
  );
  expect(tokens).toHaveLength(1);
  const invoiceId = await create('trail-create-4');
  await call(path, 'trail-token', { invoice_id: invoiceId });
  const { rows } = await pool.query(
    'SELECT actor_type, actor_id, request_id FROM invoice_events WHERE invoice_id = $1',
    [invoiceId],
  );
  expect(rows).toEqual([{ actor_type: type, actor_id: tokens[0]?.id, request_id: 'trail-token' }]);
});

test('no line from the call to the callback holds a secret, a card or the merchant’s data', async () => {
  await handler.close();
  for (const id of ['trail-create-1', 'trail-pay', 'trail-cancel'])
    expect(text).toContain(`"${id}"`);
  const card = testCardFor('approved').number;
  const token = merchant.sandbox.authorization.replace('Bearer ', '');
  for (const secret of [PRIVATE, card, token, TEST_SECRET]) expect(text).not.toContain(secret);
  for (const hidden of ['v1,', '"number"', '"authorization"']) expect(text).not.toContain(hidden);
});
