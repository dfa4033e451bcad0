import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { coalescedInvoices } from '../../invoices/merchant-invoices.ts';
import { createToken } from '../../merchants/tokens.ts';
import { DEFAULT_SCOPES, SCOPES } from '../../merchants/types.ts';
import { createLogger } from '../../observability/log.ts';
import { SandboxRefunds } from '../../payments/providers/sandbox/sandbox-refunds.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/database/database.ts';
import { createBody, createRestMerchant, type RestMerchant, sendTo } from '../../testing/rest.ts';
import { RestHandler } from '../handler.ts';
import { ENDPOINTS } from '../routes.ts';

const LIMITS = { rateLimitPerSecond: 200, rateLimitBurst: 1000, failedAuthPerMinute: 300 };

let database: TestDatabase;
let handler: RestHandler;
let merchant: RestMerchant;
let nowMs = Date.now();

beforeAll(async () => {
  database = await createTestDatabase(10);
  merchant = await createRestMerchant(database.pool);
  const context = {
    db: database.pool,
    invoices: coalescedInvoices(database.pool),
    publicUrl: 'http://localhost:1',
    clock: () => new Date(nowMs),
    log: createLogger('silent'),
  };
  handler = new RestHandler(context, LIMITS, database.url);
  await handler.ready;
});
afterAll(async () => {
  await handler.close();
  await database.drop();
});

const send = (path: string, body: object | null, headers: Record<string, string> = {}) =>
  sendTo(handler, path, { headers: { ...merchant.sandbox, ...headers }, body });

async function paid(): Promise<string> {
  const { json } = await send('/invoice/create', createBody({ end_date: nowMs + 3_600_000 }));
  const { invoice_id } = json.data;
  const { json: after } = await send('/test/invoice/pay', { invoice_id });
  expect(after.data.status).toBe(2);
  return invoice_id;
}

let refunds = 0;
const wanted = (invoice_id: string, more: object = {}) => {
  refunds += 1;
  return { invoice_id, refund_transaction_id: `refund-${refunds}`, ...more };
};

const withKey = (key: string) => ({ 'idempotency-key': key });

test('a refund is replayed byte for byte under its key for 24 hours, and 409 without one', async () => {
  const body = wanted(await paid(), { amount: 500, reason: 'Späť' });
  const first = await send('/invoice/refund', body, withKey('a'));
  expect(first.status).toBe(200);
  expect(first.json.data).toMatchObject({ status: 2, amount: 500 });
  expect(await send('/invoice/refund', body, withKey('a'))).toEqual(first);
  // Other spelling, same values.
  const respelt = { ...body, other: 1 };
  expect(await send('/invoice/refund', respelt, withKey('a'))).toEqual(first);
  for (const keyless of [{}, withKey('b')]) {
    const again = await send('/invoice/refund', body, keyless);
    expect([again.status, again.json.error.message]).toEqual([
      409,
      'Refund with this refund_transaction_id already exists',
    ]);
  }
  const other = await send('/invoice/refund', { ...body, amount: 501 }, withKey('a'));
  expect(other.status).toBe(422);
  expect(other.json.detail[0].loc).toEqual(['header', 'Idempotency-Key']);
  nowMs += 86_400_000;
  expect((await send('/invoice/refund', body, withKey('a'))).status).toBe(409);
});

test('a refusal stays under its key, though the refund would pass by now', async () => {
  const { json } = await send('/invoice/create', createBody({ end_date: nowMs + 3_600_000 }));
  const { invoice_id } = json.data;
  const body = wanted(invoice_id);
  const refused = await send('/invoice/refund', body, withKey('refused'));
  expect(refused.json.error).toEqual({
    message: 'Invoice cannot be refunded: it is PENDING',
    error_code: 409,
  });
  await send('/test/invoice/pay', { invoice_id });
  expect(await send('/invoice/refund', body, withKey('refused'))).toEqual(refused);
  expect((await send('/invoice/refund', body)).status).toBe(200);
});

test('a key of a create is no key of a refund, nor the other way round', async () => {
  const create = createBody({ end_date: nowMs + 3_600_000 });
  await send('/invoice/create', create, withKey('shared'));
  const body = wanted(await paid());
  expect((await send('/invoice/refund', body, withKey('shared'))).status).toBe(422);
  await send('/invoice/refund', body, withKey('of refund'));
  expect((await send('/invoice/create', createBody(), withKey('of refund'))).status).toBe(422);
});

test('of many at once under one key one refunds, and all get its answer', async () => {
  const invoiceId = await paid();
  const body = wanted(invoiceId, { amount: 100 });
  const refund = vi.spyOn(SandboxRefunds.prototype, 'refund');
  const answers = await Promise.all(
    Array.from({ length: 8 }, () => send('/invoice/refund', body, withKey('many'))),
  );
  expect(refund).toHaveBeenCalledTimes(1);
  refund.mockRestore();
  expect(new Set(answers.map(({ text }) => text))).toEqual(new Set([answers[0]?.text]));
  expect(answers[0]?.json.data).toMatchObject({ status: 2, amount: 100 });
});

test('a repeat whose first request died answers with the refund as it stands, and keeps that', async () => {
  const body = wanted(await paid());
  const first = await send('/invoice/refund', body, withKey('died'));
  await database.pool.query(
    `UPDATE idempotency_keys SET response_body = '' WHERE merchant_id = $1 AND key = 'died'`,
    [merchant.id],
  );
  const again = await send('/invoice/refund', body, withKey('died'));
  expect(again).toEqual(first);
  expect(await send('/invoice/refund', body, withKey('died'))).toEqual(first);
}, 20_000);

test('every fault of a refund is told at once, beside that of its key', async () => {
  const faulty = { invoice_id: '', amount: 0, reason: 'x'.repeat(256) };
  const { status, json } = await send('/invoice/refund', faulty, withKey(''));
  expect(status).toBe(422);
  expect(
    json.detail.map(({ loc, type }: { loc: string[]; type: string }) => [...loc, type]),
  ).toEqual([
    ['header', 'Idempotency-Key', 'string_too_short'],
    ['body', 'invoice_id', 'string_too_short'],
    ['body', 'refund_transaction_id', 'missing'],
    ['body', 'amount', 'greater_than'],
    ['body', 'reason', 'string_too_long'],
  ]);
});

test('the refunds of an invoice are listed, the oldest first, with what is left', async () => {
  const invoiceId = await paid();
  const none = await send(`/invoice/refunds?invoice_id=${invoiceId}`, null);
  expect(none.json.data).toEqual({ refunds: [], refunded_amount: 0, refundable_amount: 1500 });
  const first = await send('/invoice/refund', wanted(invoiceId, { amount: 100, reason: null }));
  const failed = await send('/invoice/refund', wanted(invoiceId, { reason: 'test:fail' }));
  const open = await send(
    '/invoice/refund',
    wanted(invoiceId, { amount: 200, reason: 'test:pending' }),
  );
  expect([first, failed, open].map(({ json }) => json.data.status)).toEqual([2, 3, 1]);
  const { json } = await send(`/invoice/refunds?invoice_id=${invoiceId}`, null);
  expect(json.data).toEqual({
    refunds: [first.json.data, failed.json.data, open.json.data],
    refunded_amount: 300,
    refundable_amount: 1200,
  });
});

test('403 for a token without the scope, after 401 and before 422, at every endpoint', async () => {
  const { pool } = database;
  const made = { merchantId: merchant.id, environment: 'sandbox', name: 't' } as const;
  const tokenFor = async (scopes: readonly (typeof SCOPES)[number][]) => {
    const { token } = await createToken(pool, { ...made, scopes, now: new Date(nowMs) });
    return { authorization: `Bearer ${token}` };
  };
  for (const [name, { method, scope }] of ENDPOINTS) {
    // The parameter says nothing to those that lack another one.
    const path = method === 'GET' ? `${name}?limit=0` : name;
    const without = await tokenFor(SCOPES.filter((each) => each !== scope));
    const only = await tokenFor([scope]);
    const body = method === 'GET' ? null : {};
    const refused = await send(path, body, without);
    expect([path, refused.status, refused.json.error]).toEqual([
      path,
      403,
      { message: 'Forbidden', error_code: 403 },
    ]);
    expect([path, (await send(path, body, only)).status]).toEqual([path, 422]);
  }
});

test('a token of which nothing was said, or from before there were scopes, gives no money back', async () => {
  const now = new Date(nowMs);
  const made = { merchantId: merchant.id, environment: 'sandbox', name: 'new', now } as const;
  const { id, token } = await createToken(database.pool, made);
  const scopes = 'SELECT scopes FROM api_tokens WHERE id = $1';
  expect((await database.pool.query(scopes, [id])).rows).toEqual([{ scopes: DEFAULT_SCOPES }]);
  const bearer = { authorization: `Bearer ${token}` };
  expect((await send('/invoice/refund', {}, bearer)).status).toBe(403);
  await database.pool.query(
    `INSERT INTO api_tokens (id, merchant_id, environment, name, prefix, token_hash)
     VALUES ('tok_before', $1, 'sandbox', 'before', 'gw', '\\x00')`,
    [merchant.id],
  );
  expect((await database.pool.query(scopes, ['tok_before'])).rows).toEqual([
    { scopes: DEFAULT_SCOPES },
  ]);
});
