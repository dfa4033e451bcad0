import { afterAll, beforeAll, expect, test } from 'vitest';
import { coalescedInvoices } from '../invoices/merchant-invoices.ts';
import { createLogger } from '../observability/log.ts';
import { createTestDatabase, type TestDatabase } from '../testing/database/database.ts';
import { createBody, createRestMerchant, type RestMerchant } from '../testing/rest.ts';
import { RestHandler } from './handler.ts';

let database: TestDatabase;
let merchant: RestMerchant;
let handler: RestHandler;

beforeAll(async () => {
  database = await createTestDatabase();
  const { pool: db } = database;
  merchant = await createRestMerchant(db);
  const context = {
    db,
    invoices: coalescedInvoices(db),
    publicUrl: 'http://localhost:1',
    clock: () => new Date(),
    log: createLogger('silent'),
  };
  const limits = { rateLimitPerSecond: 200, rateLimitBurst: 1_000, failedAuthPerMinute: 300 };
  handler = new RestHandler(context, limits, database.url);
  await handler.ready;
});
afterAll(async () => {
  await handler.close();
  await database.drop();
});

test('503 with Retry-After, and no fault of ours, where others keep all connections', async () => {
  const { pool } = database;
  const headers: { [name: string]: string } = {
    ...merchant.sandbox,
    'content-type': 'application/json',
  };
  const body = Buffer.from(JSON.stringify(createBody()));
  const create = () =>
    handler.handle({
      method: 'POST',
      path: '/api/sandbox/invoice/create',
      query: new URLSearchParams(),
      header: (name) => headers[name] ?? null,
      readBody: async () => body,
      remoteAddress: '192.0.2.1',
    });
  const { max, connectionTimeoutMillis } = pool.options;
  const holders = await Promise.all(Array.from({ length: max }, () => pool.connect()));
  pool.options.connectionTimeoutMillis = 1;
  const refused = await create();
  pool.options.connectionTimeoutMillis = connectionTimeoutMillis;
  for (const holder of holders) holder.release();
  expect(refused).toMatchObject({ status: 503, headers: { 'retry-after': '1' } });
  expect(await create()).toMatchObject({ status: 200 });
});
