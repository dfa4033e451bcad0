import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { projectRoot } from '#server/settings/settings.ts';
import { createBody } from '#server/testing/rest.ts';
import { type SmallGateway, startSmallGateway } from '../../../e2e/small-gateway.ts';

const PAGE = readFileSync(path.join(projectRoot(), 'app/docs/_content/idempotency.md'), 'utf8');

let gateway: SmallGateway;

beforeAll(async () => {
  gateway = await startSmallGateway();
});

afterAll(() => gateway.close());

type Fields = { [name: string]: unknown };

function post(path: string, body: Fields, key?: string): Promise<Response> {
  return fetch(gateway.baseUrl + path, {
    method: 'POST',
    headers: {
      ...gateway.merchant.sandbox,
      'content-type': 'application/json',
      ...(key === undefined ? {} : { 'idempotency-key': key }),
    },
    body: JSON.stringify(body),
  });
}

async function create(key: string, fields: Fields): Promise<number> {
  const { status } = await post('/invoice/create', createBody(fields), key);
  return status;
}

test('the answers that use a key up are those that the page names', async () => {
  expect(PAGE).toContain('Only a 200 and a 409 use up a key.');
  expect(PAGE).toContain('the same key with another `merchant_transaction_id` is a 422');
  const first = { merchant_transaction_id: 'order-1' };
  expect(await create('key-1', { ...first, amount: 0 })).toBe(422);
  expect(await create('key-1', first)).toBe(200);
  expect(await create('key-2', first)).toBe(409);
  const second = { merchant_transaction_id: 'order-2' };
  expect([await create('key-1', second), await create('key-2', second)]).toEqual([422, 422]);
  expect(await create('key-3', second)).toBe(200);
});

test('a repeat shows the status of the create, also when the invoice is paid since', async () => {
  expect(PAGE).toContain('with status `1`, even if the invoice has been paid since');
  const body = createBody({ merchant_transaction_id: 'order-paid' });
  const first = await (await post('/invoice/create', body, 'key-paid')).text();
  const { data } = JSON.parse(first);
  const paid = await post('/test/invoice/pay', { invoice_id: data.invoice_id });
  expect(await paid.json()).toMatchObject({ data: { status: 2 } });
  const again = await (await post('/invoice/create', body, 'key-paid')).text();
  expect([data.status, again]).toEqual([1, first]);
});

/** Asks for a status with a query sent byte for byte. @returns the HTTP status */
async function statusOf(query: string): Promise<number> {
  const { hostname, port } = new URL(gateway.baseUrl);
  const { authorization, 'x-merchant': merchant } = gateway.merchant.sandbox;
  const socket = connect(Number(port), hostname);
  socket.write(
    `GET /api/sandbox/invoice/status?${query} HTTP/1.1\r\nHost: ${hostname}:${port}\r\n` +
      `Authorization: ${authorization}\r\nX-Merchant: ${merchant}\r\nConnection: close\r\n\r\n`,
  );
  return Number((await text(socket)).split(' ')[1]);
}

test.each([
  ['a+b', [404]],
  ['a&b', [404]],
  // Some versions of Node accept these as an unknown id.
  ['заказ', [400, 404]],
])('an id such as %s is found percent-encoded only, as the page says', async (id, unescaped) => {
  const encoded = encodeURIComponent(id);
  expect(PAGE).toContain(
    'unescaped, an ID with `+` or `&` is not found, and one with non-ASCII letters gets a 400',
  );
  expect(await create(`key of ${encoded}`, { merchant_transaction_id: id })).toBe(200);
  expect(await statusOf(`merchant_transaction_id=${encoded}`)).toBe(200);
  expect(unescaped).toContain(await statusOf(`merchant_transaction_id=${id}`));
});
