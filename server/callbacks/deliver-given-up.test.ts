import { afterAll, beforeAll, expect, test } from 'vitest';
import { ACCEPT, insertDue, openShop, testContext, until } from '../testing/callbacks.ts';
import { createTestDatabase, type TestDatabase } from '../testing/database.ts';
import { createMerchantFixture } from '../testing/factories.ts';
import { deliverDueCallbacks } from './deliver.ts';

const T0 = new Date('2026-11-21T12:00:00.000Z');

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

test('a row that cannot be recorded for good does not keep the run from ending', async () => {
  const context = testContext(database.pool, { clock: () => T0 });
  const shop = await openShop((...asked) => {
    const [, , nth] = asked;
    // The last answer comes when the database has refused once.
    void until(() => nth < 5 || context.errors.length > 0).then(() => ACCEPT(...asked));
  });
  const { id: merchantId } = await createMerchantFixture(database.pool);
  const ids = await insertDue(database.pool, { merchantId, url: shop.url, at: T0, count: 5 });
  // As a damaged block of the table would.
  await database.pool.query(`
    CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS
      $$BEGIN RAISE EXCEPTION 'damaged' USING ERRCODE = 'XX001'; END$$;
    CREATE TRIGGER refuse BEFORE UPDATE ON callbacks
      FOR EACH ROW EXECUTE FUNCTION refuse()`);
  const input = { now: T0, limit: 10, recordLimitMs: 100 };
  expect(await deliverDueCallbacks(context, input)).toEqual({ attempted: 5, delivered: 5 });
  const told = context.errors.find((error) => /not recorded/.test(String(error))) as Error;
  const [, count, named = ''] = /within 0\.1 s: (\d+); .*: (.*), …$/.exec(told.message) ?? [];
  expect(count).toBe('5');
  expect(named.split(', ')).toHaveLength(3);
  expect(ids).toEqual(expect.arrayContaining(named.split(', ')));
  expect(told.cause).toMatchObject({ message: 'damaged' });
  const again = await deliverDueCallbacks(context, {
    ...input,
    now: new Date(T0.getTime() + 29_999),
  });
  expect(again.attempted).toBe(0);
  expect(shop.received).toHaveLength(5);
  await context.sender.close();
  await shop.close();
});
