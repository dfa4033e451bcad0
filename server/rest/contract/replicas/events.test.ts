import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { openPool } from '../../../db/pool.ts';
import { createSigningSecret } from '../../../merchants/signing-secrets.ts';
import { openShop, type Shop, until } from '../../../testing/callbacks.ts';
import { createBody, createRestMerchant, type RestMerchant } from '../../../testing/rest.ts';
import { call } from '../../../testing/rest-client.ts';

// The contract's only event, with workers running: a merchant's server hears of each change.

const ANSWER_MS = 20_000;

const pool = openPool(inject('contractDatabaseUrl'), 2);
let merchant: RestMerchant;
let secret: string;
let shop: Shop;

beforeAll(async () => {
  merchant = await createRestMerchant(pool);
  const owner = { merchantId: merchant.id, environment: 'sandbox', now: new Date() } as const;
  secret = await createSigningSecret(pool, owner);
  shop = await openShop();
});
afterAll(async () => {
  await shop.close();
  await pool.end();
});

type Fields = { [field: string]: unknown };

describe.each(inject('transports'))('$name', ({ origin }) => {
  const post = async (path: string, body: object): Promise<Fields> => {
    const answer = await call(`${origin}/api/sandbox${path}`, {
      credentials: merchant.sandbox,
      body,
    });
    expect(answer.status, answer.text).toBe(200);
    return answer.json?.data as Fields;
  };
  const receivedOf = (id: unknown) =>
    shop.received.filter(({ body }) => body.toString().includes(`"${String(id)}"`));

  test.each([
    ['paying', 2, (id: unknown) => post('/test/invoice/pay', { invoice_id: id })],
    ['cancelling', 4, (id: unknown) => post('/invoice/cancel', { invoice_id: id })],
    // Nobody triggers it: a worker finds it.
    ['the end date', 3, () => Promise.resolve()],
  ] as const)(
    '%s is told with status %i, once, signed, in the contract’s fields',
    async (_, status, change) => {
      const endsInMs = status === 3 ? 4_000 : 3_600_000;
      const body = createBody({
        callback_url: shop.url,
        merchant_data: { cart: '42' },
        end_date: Date.now() + endsInMs,
      });
      const created = await post('/invoice/create', body);
      const id = created.invoice_id;
      await change(id);
      await until(() => receivedOf(id).length > 0, ANSWER_MS);
      const [received] = receivedOf(id);
      const text = received?.body.toString() ?? '';
      const { headers = {} } = received ?? {};
      expect(headers['content-type']).toBe('application/json');
      expect(headers.authorization).toBeUndefined();
      const signed = headers as { [name: string]: string };
      expect(new Webhook(secret).verify(text, signed)).toEqual(JSON.parse(text));
      const { extra_data: extra, updated_at: updatedAt, ...fields } = JSON.parse(text) as Fields;
      expect(fields).toEqual({
        invoice_id: id,
        status,
        amount: 1500,
        currency: 'USD',
        description: 'Two tickets',
        merchant_transaction_id: body.merchant_transaction_id,
        positions: body.positions,
        merchant_data: { cart: '42' },
        created_at: created.created_at,
      });
      expect(Number(updatedAt)).toBeGreaterThanOrEqual(Number(created.created_at));
      const paid = { provider: 'sandbox', transaction_id: expect.any(String) };
      if (status === 2) expect(extra).toMatchObject(paid);
      else expect(extra).toEqual({});
      const read = `${origin}/api/sandbox/invoice/status?invoice_id=${String(id)}`;
      const now = await call(read, { method: 'GET', credentials: merchant.sandbox });
      expect(now.json?.data).toMatchObject({ status });
    },
  );

  test('nothing was told twice', () => {
    const ids = shop.received.map(({ headers }) => headers['webhook-id']);
    expect(new Set(ids).size).toBe(ids.length);
  });
});
