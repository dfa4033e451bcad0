import { expect, test } from 'vitest';
import { insertDue, openShop, testContext, until } from '../../testing/callbacks.ts';
import { createTestDatabase } from '../../testing/database/database.ts';
import { createMerchantFixture } from '../../testing/factories.ts';
import { Pump } from './pump.ts';

const MERCHANTS = 8;
const EACH = 150;
const MAX_IN_FLIGHT = 64;

test('while the database takes no results, a pump claims only until it has 1,024 of them', async () => {
  const database = await createTestDatabase();
  const shop = await openShop();
  const { pool } = database;
  for (let i = 0; i < MERCHANTS; i++) {
    const { id: merchantId } = await createMerchantFixture(pool);
    const due = { environment: 'production', url: shop.url, at: new Date(), count: EACH } as const;
    await insertDue(pool, { merchantId, ...due });
  }
  // A full disk would cause the same error.
  await pool.query(`
    CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS
      $$BEGIN RAISE EXCEPTION 'full' USING ERRCODE = '53100'; END$$;
    CREATE TRIGGER refuse BEFORE INSERT ON callback_attempts FOR EACH ROW EXECUTE FUNCTION refuse()`);
  const context = testContext(pool);
  // A pump with a reserve claims nothing ahead.
  const pump = new Pump(context, { maxInFlight: MAX_IN_FLIGHT, reserved: 1, pollMs: 20 });
  try {
    await until(() => shop.received.length > 1_024 && pump.inFlight === 0);
    pump.wake();
    // Claims and recordings take turns: a claim begun now comes before the second recording.
    const { length } = context.errors;
    await until(() => context.errors.length >= length + 2);
    expect(shop.received.length + pump.inFlight).toBeLessThanOrEqual(1_024 + MAX_IN_FLIGHT);
    await pool.query('DROP TRIGGER refuse ON callback_attempts');
    await until(() => shop.received.length === MERCHANTS * EACH);
  } finally {
    await pump.stop(1_000);
    await context.sender.close();
    await shop.close();
    await database.drop();
  }
}, 60_000);
