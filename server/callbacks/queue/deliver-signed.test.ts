import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { activeSigningSecrets, createSigningSecret } from '../../merchants/signing-secrets.ts';
import { ENVIRONMENTS } from '../../merchants/types.ts';
import { deliverOnce, insertDue, openShop, testContext } from '../../testing/callbacks.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/database/database.ts';
import { createMerchantFixture } from '../../testing/factories.ts';
import { createSigningKeys } from '../http/signing-keys.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

test('a callback carries the signature of its environment, whether its keys are read or at hand', async () => {
  const { pool } = database;
  const { id: merchantId } = await createMerchantFixture(pool);
  // The verifier uses the present time.
  const now = new Date();
  const secretOf = (environment: (typeof ENVIRONMENTS)[number]) =>
    createSigningSecret(pool, { merchantId, environment, now });
  const secrets = { sandbox: await secretOf('sandbox'), production: await secretOf('production') };
  const shop = await openShop();
  const keys = createSigningKeys((...of) => activeSigningSecrets(pool, ...of));
  const context = testContext(pool, { clock: () => now, keys });
  for (const environment of [...ENVIRONMENTS, ...ENVIRONMENTS]) {
    await insertDue(pool, { merchantId, environment, url: shop.url, at: now });
    await deliverOnce(context, { now, limit: 10 });
    const { headers, body } = shop.received.pop() ?? { headers: {}, body: '' };
    const verify = (by: string) => () =>
      new Webhook(by).verify(body.toString(), headers as Record<string, string>);
    expect(verify(secrets[environment])).not.toThrow();
    const other = environment === 'sandbox' ? 'production' : 'sandbox';
    expect(verify(secrets[other])).toThrow('No matching signature');
  }
  expect(context.errors).toEqual([]);
  await context.sender.close();
  await shop.close();
});
