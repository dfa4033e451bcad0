import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { openPool } from '../../db/pool.ts';
import { createBody, createRestMerchant, type RestMerchant } from '../../testing/rest.ts';
import { call } from '../../testing/rest-client.ts';

const pool = openPool(inject('contractDatabaseUrl'), 2);
let merchant: RestMerchant;

beforeAll(async () => {
  merchant = await createRestMerchant(pool);
});
afterAll(() => pool.end());

type Data = { [field: string]: unknown };
const dataOf = (answer: { json: unknown }) => (answer.json as { data: Data }).data;

describe.each(inject('transports'))('$name', ({ origin }) => {
  const sandbox = `${origin}/api/sandbox`;
  const credentials = () => merchant.sandbox;
  const post = (path: string, body: object) =>
    call(`${sandbox}${path}`, { credentials: credentials(), body });
  const get = (path: string) =>
    call(`${sandbox}${path}`, { method: 'GET', credentials: credentials() });

  test('details have all that was given, and a cancelled invoice its callback', async () => {
    const body = createBody({ merchant_data: { order: 7 } });
    const id = dataOf(await post('/invoice/create', body)).invoice_id;
    const pending = await get(`/invoice/details?invoice_id=${id}`);
    expect(pending.status).toBe(200);
    expect(dataOf(pending)).toMatchObject({ ...body, invoice_id: id, status: 1, callback: null });
    await post('/invoice/cancel', { invoice_id: id });
    const name = encodeURIComponent(String(body.merchant_transaction_id));
    const canceled = await get(`/invoice/details?merchant_transaction_id=${name}`);
    expect(dataOf(canceled)).toMatchObject({ status: 4, refunded_amount: 0 });
    expect(dataOf(canceled).callback).toMatchObject({ state: expect.any(String) });
    expect((await post('/callback/resend', { invoice_id: id })).status).toBe(200);
  });

  test('the cursors of a list lead through all of it', async () => {
    const created: unknown[] = [];
    for (let count = 0; count < 5; count += 1) {
      created.push(dataOf(await post('/invoice/create', createBody())).invoice_id);
    }
    const seen: unknown[] = [];
    let cursor: unknown = '';
    while (cursor !== null) {
      const next = cursor === '' ? '' : `&cursor=${cursor}`;
      const page = await get(`/invoice/list?limit=2&status=1${next}`);
      expect(page.status).toBe(200);
      const { invoices, next_cursor } = dataOf(page);
      seen.push(...(invoices as { invoice_id: string }[]).map(({ invoice_id }) => invoice_id));
      cursor = next_cursor;
    }
    expect(seen.filter((id) => created.includes(id)).sort()).toEqual(created.sort());
  });

  test('events are read on from a cursor', async () => {
    const begun = dataOf(await get('/event/list?limit=1000')).next_cursor;
    const id = dataOf(await post('/invoice/create', createBody())).invoice_id;
    await post('/invoice/cancel', { invoice_id: id });
    const seen: string[] = [];
    let cursor = begun;
    const look = async () => {
      const page = dataOf(await get(`/event/list?after=${cursor}`));
      cursor = page.next_cursor;
      for (const event of page.events as { type: string; invoice_id: string }[]) {
        if (event.invoice_id === id) seen.push(event.type);
      }
      return seen;
    };
    const wanted = ['invoice.created', 'invoice.canceled'];
    await expect.poll(look, { timeout: 20_000 }).toEqual(wanted);
  });

  test.each([
    ['/event/list?after=x', ['query', 'after']],
    ['/invoice/details', ['query', 'invoice_id']],
    ['/invoice/list?cursor=x', ['query', 'cursor']],
  ])('422 for %s', async (path, loc) => {
    const answer = await get(path);
    expect(answer.status).toBe(422);
    expect(answer.json).toMatchObject({ detail: [{ loc }] });
  });

  test.each(['/invoice/details', '/invoice/list'])('405 for a POST of %s', async (path) => {
    const answer = await post(path, {});
    expect([answer.status, answer.headers.allow]).toEqual([405, 'GET']);
  });
});
