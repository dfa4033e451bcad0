import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { openPool } from '../../db/pool.ts';
import { DEFAULT_SCOPES } from '../../merchants/types.ts';
import { createBody, createRestMerchant, type RestMerchant } from '../../testing/rest.ts';
import { type CallOptions, call } from '../../testing/rest-client.ts';

const pool = openPool(inject('contractDatabaseUrl'), 2);
let merchant: RestMerchant;
let other: RestMerchant;
let withoutScope: RestMerchant;

beforeAll(async () => {
  merchant = await createRestMerchant(pool);
  other = await createRestMerchant(pool);
  withoutScope = await createRestMerchant(pool, DEFAULT_SCOPES);
});
afterAll(() => pool.end());

type Data = { [field: string]: unknown };
const dataOf = (answer: { json: unknown }) => (answer.json as { data: Data }).data;
const failure = (code: number, message: string) => ({
  result: false,
  data: null,
  error: { message, error_code: code },
});

const FIELDS = [
  'refund_id',
  'invoice_id',
  'refund_transaction_id',
  'amount',
  'currency',
  'status',
  'reason',
  'failure_reason',
  'created_at',
  'updated_at',
];

let count = 0;
/** The body of a refund with an id of its own. */
function refundOf(invoiceId: string, more: Data = {}): Data {
  count += 1;
  const refund_transaction_id = `refund-${process.pid}-${Date.now()}-${count}`;
  return { invoice_id: invoiceId, refund_transaction_id, ...more };
}

describe.each(inject('transports'))('$name', ({ origin }) => {
  const sandbox = `${origin}/api/sandbox`;
  const post = (path: string, body: CallOptions['body'], more: CallOptions = {}) =>
    call(`${sandbox}${path}`, { credentials: merchant.sandbox, body, ...more });
  const refund = (body: Data, more: CallOptions = {}) => post('/invoice/refund', body, more);
  const list = (query: string, credentials = merchant.sandbox) =>
    call(`${sandbox}/invoice/refunds?${query}`, { method: 'GET', credentials });
  const created = async () =>
    String(dataOf(await post('/invoice/create', createBody())).invoice_id);
  const paid = async () => {
    const invoiceId = await created();
    await post('/test/invoice/pay', { invoice_id: invoiceId });
    return invoiceId;
  };

  test('a refund answers its fields in the envelope, and the invoice stays PAID', async () => {
    const invoiceId = await paid();
    const body = refundOf(invoiceId, { amount: 500, reason: 'Возврат 😀' });
    const answer = await refund(body);
    expect(answer.status).toBe(200);
    expect(answer.json).toMatchObject({ result: true, error: null });
    const data = dataOf(answer);
    expect(Object.keys(data)).toEqual(FIELDS);
    expect(data).toMatchObject({ ...body, currency: 'USD', status: 2, failure_reason: null });
    expect(data.refund_id).toMatch(/^ref_[0-9a-hjkmnp-tv-z]{35}$/);
    const status = await call(`${sandbox}/invoice/status?invoice_id=${invoiceId}`, {
      method: 'GET',
      credentials: merchant.sandbox,
    });
    expect(dataOf(status).status).toBe(2);
    const listed = await list(`invoice_id=${invoiceId}`);
    expect(dataOf(listed)).toEqual({
      refunds: [data],
      refunded_amount: 500,
      refundable_amount: 1000,
    });
  });

  test('a key replays the first answer byte for byte, and refuses other values', async () => {
    const body = refundOf(await paid());
    const headers = { 'idempotency-key': `key-${count}` };
    const first = await refund(body, { headers });
    expect((await refund(body, { headers })).text).toBe(first.text);
    const changed = await refund({ ...body, amount: 1 }, { headers });
    expect([changed.status, changed.json]).toMatchObject([
      422,
      { detail: [{ loc: ['header', 'Idempotency-Key'], type: 'value_error' }] },
    ]);
  });

  test('every conflict is a 409 in so many words', async () => {
    const invoiceId = await paid();
    const body = refundOf(invoiceId, { amount: 100 });
    await refund(body);
    const repeated = await refund(body);
    expect(repeated.status).toBe(409);
    expect(repeated.json).toEqual(
      failure(409, 'Refund with this refund_transaction_id already exists'),
    );
    const tooMuch = await refund(refundOf(invoiceId, { amount: 1401 }));
    expect(tooMuch.json).toEqual(failure(409, 'Refund exceeds the refundable amount: 1400'));
    const unpaid = await refund(refundOf(await created()));
    expect(unpaid.json).toEqual(failure(409, 'Invoice cannot be refunded: it is PENDING'));
  });

  test('404 for an unknown invoice, of another merchant or of the other environment', async () => {
    const invoiceId = await paid();
    const notFound = failure(404, 'Invoice not found');
    expect((await refund(refundOf('inv_none'))).json).toEqual(notFound);
    const stranger = { credentials: other.sandbox };
    expect((await refund(refundOf(invoiceId), stranger)).json).toEqual(notFound);
    expect((await list(`invoice_id=${invoiceId}`, other.sandbox)).json).toEqual(notFound);
    expect((await list('invoice_id=inv_none')).status).toBe(404);
    const elsewhere = await call(`${origin}/api/production/invoice/refund`, {
      credentials: merchant.production,
      body: refundOf(invoiceId),
    });
    expect(elsewhere.json).toEqual(notFound);
  });

  test('422 with every fault of a body, and of a query', async () => {
    const answer = await refund({ invoice_id: 7, amount: 1.5, reason: '' });
    expect(answer.status).toBe(422);
    expect(answer.json).toMatchObject({
      detail: [
        { loc: ['body', 'invoice_id'], type: 'string_type' },
        { loc: ['body', 'refund_transaction_id'], type: 'missing' },
        { loc: ['body', 'amount'], type: 'int_from_float' },
        { loc: ['body', 'reason'], type: 'string_too_short' },
      ],
    });
    for (const [query, type] of [
      ['', 'missing'],
      ['invoice_id=', 'string_too_short'],
      ['invoice_id=a&invoice_id=b', 'value_error'],
    ]) {
      const faulty = await list(query ?? '');
      expect([faulty.status, faulty.json]).toMatchObject([
        422,
        { detail: [{ loc: ['query', 'invoice_id'], type }] },
      ]);
    }
  });

  test('403 without the scope, before the body is read', async () => {
    const credentials = withoutScope.sandbox;
    const answer = await refund({}, { credentials });
    expect(answer.status).toBe(403);
    expect(answer.json).toEqual(failure(403, 'Forbidden'));
    expect((await list('', credentials)).status).toBe(422);
  });
});
