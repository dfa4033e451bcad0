import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  activeSigningSecrets,
  createSigningSecret,
  replaceSigningSecret,
} from '../../merchants/signing-secrets.ts';
import {
  deliverOnce,
  insertDue,
  openShop,
  type Shop,
  testContext,
} from '../../testing/callbacks.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/database/database.ts';
import { createMerchantFixture, type MerchantFixture } from '../../testing/factories.ts';
import { createSigningKeys } from '../http/signing-keys.ts';
import { readExchanges } from './exchanges.ts';

const T0 = new Date('2026-11-21T12:00:00.123Z');
const HOUR_MS = 60 * 60 * 1000;
const later = (ms: number) => new Date(T0.getTime() + ms);

let database: TestDatabase;
let merchant: MerchantFixture;
let shop: Shop;

beforeAll(async () => {
  database = await createTestDatabase();
  merchant = await createMerchantFixture(database.pool);
  shop = await openShop((response) => {
    response.statusCode = 503;
    response.end('{"error":"closed"}');
  });
});

afterAll(async () => {
  await shop.close();
  await database.drop();
});

async function deliverAt(now: Date) {
  const { pool } = database;
  const keys = createSigningKeys((id, environment, at) =>
    activeSigningSecrets(pool, id, environment, at),
  );
  const context = testContext(pool, { clock: () => now, keys });
  await deliverOnce(context, { now, limit: 10 });
  await context.sender.close();
}

test('every attempt shows the request as the merchant got it, before and after a rotation', async () => {
  const { pool } = database;
  const owner = { merchantId: merchant.id, environment: 'sandbox' as const };
  await createSigningSecret(pool, { ...owner, now: later(-HOUR_MS) });
  const url = `${shop.url}?key=1`;
  const [id = ''] = await insertDue(pool, { merchantId: merchant.id, url, at: T0, count: 1 });
  await deliverAt(T0);
  await replaceSigningSecret(pool, { ...owner, now: later(1000), overlapMs: HOUR_MS });
  await deliverAt(later(60_000));
  await deliverAt(later(2 * HOUR_MS));

  const found = await readExchanges(pool, merchant.sandbox.tenant, id, { now: later(3 * HOUR_MS) });
  expect(found?.exchanges).toHaveLength(3);
  expect(shop.received).toHaveLength(3);
  for (const [i, exchange] of (found?.exchanges ?? []).entries()) {
    const got = shop.received[i];
    expect(Object.fromEntries(exchange.headers.map(({ name, value }) => [name, value]))).toEqual(
      got?.headers,
    );
    expect(exchange.requestLine).toBe(`POST ${got?.path} HTTP/1.1`);
    expect(found?.body).toBe(got?.body.toString());
    expect(exchange.answer).toBe('{"error":"closed"}');
  }
  const signatures = shop.received.map(({ headers }) => String(headers['webhook-signature']));
  expect(signatures.map((each) => each.split(' ').length)).toEqual([1, 2, 1]);
});

test('an attempt whose secret does not open any more shows no signature, and the others theirs', async () => {
  const { pool } = database;
  const { id: merchantId, sandbox } = await createMerchantFixture(pool);
  const owner = { merchantId, environment: 'sandbox' as const };
  await createSigningSecret(pool, { ...owner, now: later(-HOUR_MS) });
  const [id = ''] = await insertDue(pool, { merchantId, url: shop.url, at: T0, count: 1 });
  await deliverAt(T0);
  await replaceSigningSecret(pool, { ...owner, now: later(1000), overlapMs: 0 });
  await pool.query(
    `UPDATE signing_secrets SET sealed = '\\x00' WHERE merchant_id = $1 AND expires_at IS NOT NULL`,
    [merchantId],
  );
  await deliverAt(later(60_000));
  const found = await readExchanges(pool, sandbox.tenant, id, { now: later(HOUR_MS) });
  const names = found?.exchanges.map(({ headers }) => headers.map(({ name }) => name));
  expect(names?.map((each) => each.includes('webhook-signature'))).toEqual([false, true]);
});

test('a callback of another tenant is none', async () => {
  const at = { merchantId: merchant.id, url: shop.url, at: T0, count: 1 };
  const [id = ''] = await insertDue(database.pool, at);
  const read = (tenant = merchant.sandbox.tenant) =>
    readExchanges(database.pool, tenant, id, { now: T0 });
  expect((await read())?.exchanges).toEqual([]);
  expect(await read(merchant.production.tenant)).toBeNull();
});
