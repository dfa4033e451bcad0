import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { coalescedInvoices } from '../invoices/merchant-invoices.ts';
import type { Environment } from '../merchants/types.ts';
import { createLogger } from '../observability/log.ts';
import { createTestDatabase, type TestDatabase } from '../testing/database/database.ts';
import { createBody, createRestMerchant, type RestMerchant } from '../testing/rest.ts';
import { RestHandler } from './handler.ts';

const LIMITS = { rateLimitPerSecond: 200, rateLimitBurst: 1000, failedAuthPerMinute: 300 };

let database: TestDatabase;
let handler: RestHandler;
let nowMs = Date.now();

beforeAll(async () => {
  database = await createTestDatabase();
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

async function create(merchant: RestMerchant, environment: Environment, body: string, key = 'key') {
  const headers: { [name: string]: string } = {
    ...merchant[environment],
    'content-type': 'application/json',
    'idempotency-key': key,
  };
  const answer = await handler.handle({
    method: 'POST',
    path: `/api/${environment}/invoice/create`,
    query: new URLSearchParams(),
    header: (name) => headers[name] ?? null,
    readBody: async () => Buffer.from(body),
    remoteAddress: '192.0.2.1',
  });
  return { status: answer.status, text: String(answer.body) };
}

test('after the end date, the key of a create leads nobody else to its answer', async () => {
  const merchant = await createRestMerchant(database.pool);
  const other = await createRestMerchant(database.pool);
  const body = JSON.stringify(createBody({ end_date: nowMs + 60_000 }));
  const first = await create(merchant, 'sandbox', body);
  expect(first.status).toBe(200);
  nowMs += 61_000;
  expect(await create(merchant, 'sandbox', body)).toEqual(first);
  expect((await create(other, 'sandbox', body)).status).toBe(422);
  expect((await create(merchant, 'production', body)).status).toBe(422);
});

test('after the end date, the same values in another order get their first answer', async () => {
  const merchant = await createRestMerchant(database.pool);
  const body = createBody({ end_date: nowMs + 60_000 });
  const first = await create(merchant, 'sandbox', JSON.stringify(body));
  nowMs += 61_000;
  const other = JSON.stringify(Object.fromEntries(Object.entries(body).reverse()), null, 1);
  expect(await create(merchant, 'sandbox', other)).toEqual(first);
});

test('beside the version before, each knows by its bytes what the other has answered', async () => {
  const merchant = await createRestMerchant(database.pool);
  const body = JSON.stringify(createBody({ end_date: nowMs + 60_000 }));
  const first = await create(merchant, 'sandbox', body);
  const ofMerchant = 'WHERE merchant_id = $1';
  const { rows } = await database.pool.query(
    `SELECT request_hash FROM idempotency_keys ${ofMerchant}`,
    [merchant.id],
  );
  expect(rows).toEqual([{ request_hash: createHash('sha256').update(body).digest() }]);
  // The previous version stores the key like this.
  await database.pool.query(`UPDATE idempotency_keys SET values_hash = NULL ${ofMerchant}`, [
    merchant.id,
  ]);
  expect(await create(merchant, 'sandbox', body)).toEqual(first);
  expect((await create(merchant, 'sandbox', ` ${body}`)).status).toBe(422);
});

test('after the end date, another body under the key is told of the key and of its end date', async () => {
  const merchant = await createRestMerchant(database.pool);
  const body = createBody({ end_date: nowMs + 60_000 });
  await create(merchant, 'sandbox', JSON.stringify(body));
  nowMs += 61_000;
  const other = await create(merchant, 'sandbox', JSON.stringify({ ...body, amount: 1 }));
  expect(JSON.parse(other.text).detail).toMatchObject([
    { loc: ['header', 'Idempotency-Key'] },
    { loc: ['body', 'end_date'] },
  ]);
});

test('a body that is refused does not use up its key, be it of 255 characters', async () => {
  const merchant = await createRestMerchant(database.pool);
  const body = createBody({ end_date: nowMs + 60_000 });
  const key = 'k'.repeat(255);
  const send = (sent: object) => create(merchant, 'sandbox', JSON.stringify(sent), key);
  expect((await send({ ...body, amount: 0 })).status).toBe(422);
  const first = await send(body);
  expect(first.status).toBe(200);
  expect(await send(body)).toEqual(first);
});

test('what is wrong with a key is told beside what is wrong with the body', async () => {
  const merchant = await createRestMerchant(database.pool);
  const send = async (sent: object) => {
    const { status, text } = await create(merchant, 'sandbox', JSON.stringify(sent), 'k\n');
    return { status, faulty: JSON.parse(text).detail.map(({ loc }: { loc: string[] }) => loc[0]) };
  };
  const body = createBody({ end_date: nowMs + 60_000 });
  expect(await send(body)).toEqual({ status: 422, faulty: ['header'] });
  expect(await send({ ...body, amount: 0 })).toEqual({ status: 422, faulty: ['header', 'body'] });
});
