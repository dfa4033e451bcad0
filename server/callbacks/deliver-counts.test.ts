import { afterEach, beforeEach, expect, it } from 'vitest';
import { metrics } from '../lib/metrics.ts';
import { ENVIRONMENTS, type Environment } from '../merchants/types.ts';
import { insertDue, openShop, type Shop, testContext } from '../testing/callbacks.ts';
import { createTestDatabase, type TestDatabase } from '../testing/database.ts';
import { createMerchantFixture, type MerchantFixture } from '../testing/factories.ts';
import { deliverDueCallbacks } from './deliver.ts';
import { resendCallback } from './resend.ts';
import { MAX_ATTEMPTS } from './schedule.ts';

const T0 = new Date('2026-11-21T12:00:00.000Z');
const ACTOR = { type: 'operator', id: null, label: 'gateway command' } as const;

let database: TestDatabase;
let merchant: MerchantFixture;
let shop: Shop;
beforeEach(async () => {
  database = await createTestDatabase();
  merchant = await createMerchantFixture(database.pool);
  shop = await openShop((response) => response.end('{"success":false}'));
});
afterEach(async () => {
  await shop.close();
  await database.drop();
});

/** What one run of what is due adds to the counts of each environment. */
async function countsOfRun() {
  const { callbackAttempts } = metrics();
  for (const environment of ENVIRONMENTS) {
    callbackAttempts[environment] = { delivered: 0, failed: 0, exhausted: 0 };
  }
  const context = testContext(database.pool, { clock: () => T0 });
  expect(await deliverDueCallbacks(context, { now: T0, limit: 10 })).toMatchObject({
    attempted: 1,
  });
  await context.sender.close();
  return structuredClone(callbackAttempts);
}

const NONE = { delivered: 0, failed: 0, exhausted: 0 };
const OTHER: Record<Environment, Environment> = { sandbox: 'production', production: 'sandbox' };

it.each(ENVIRONMENTS)(
  'a callback of %s is given up by its last step, and not again by a resend that fails',
  async (environment) => {
    const { pool } = database;
    const due = { merchantId: merchant.id, environment, url: shop.url, at: T0 };
    const [id = ''] = await insertDue(pool, due);
    await pool.query('UPDATE callbacks SET attempt_count = $1', [MAX_ATTEMPTS - 2]);
    const failed = { [environment]: { ...NONE, failed: 1 }, [OTHER[environment]]: NONE };
    expect(await countsOfRun()).toEqual(failed);
    await pool.query('UPDATE callbacks SET next_attempt_at = $1', [T0]);
    const givenUp = { [environment]: { ...NONE, exhausted: 1 }, [OTHER[environment]]: NONE };
    expect(await countsOfRun()).toEqual(givenUp);
    const resent = { actor: ACTOR, now: T0 };
    expect(await resendCallback(pool, merchant[environment].tenant, id, resent)).toBe('queued');
    expect(await countsOfRun()).toEqual(failed);
  },
);
