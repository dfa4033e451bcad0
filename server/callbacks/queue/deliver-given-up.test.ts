import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  ACCEPT,
  deliverOnce,
  insertDue,
  openShop,
  testContext,
  until,
} from '../../testing/callbacks.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/database/database.ts';
import { createMerchantFixture } from '../../testing/factories.ts';
import { createSender } from '../http/send.ts';
import { runPump } from './pump-runs.ts';

const T0 = new Date('2026-11-21T12:00:00.000Z');

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

test('what this machine lacks is told, takes no step of the schedule, and is sent when it is there', async () => {
  const shop = await openShop();
  let isLacking = true;
  const resolve = async () => {
    if (isLacking) throw Object.assign(new Error('too many open files'), { code: 'EMFILE' });
    return [{ address: '127.0.0.1', family: 4 as const }];
  };
  const clock = () => T0;
  const sender = createSender({ network: 'local', resolve, clock });
  const context = testContext(database.pool, { clock, sender });
  const { id: merchantId } = await createMerchantFixture(database.pool);
  const url = shop.url.replace('127.0.0.1', 'shop.example');
  const [id] = await insertDue(database.pool, { merchantId, url, at: T0 });
  const input = { now: T0, limit: 10 };
  expect(await deliverOnce(context, input)).toEqual({ attempted: 0, delivered: 0 });
  expect(context.errors).toMatchObject([{ code: 'EMFILE' }]);
  isLacking = false;
  expect(await deliverOnce(context, input)).toEqual({ attempted: 1, delivered: 1 });
  const { rows } = await database.pool.query(
    'SELECT attempt_count AS count FROM callbacks WHERE invoice_id = $1',
    [id],
  );
  expect(rows).toEqual([{ count: 1 }]);
  await sender.close();
  await shop.close();
});

test('a row that cannot be recorded for good does not keep the run from ending', async () => {
  const context = testContext(database.pool, { clock: () => T0 });
  const shop = await openShop((...asked) => {
    const [, , nth] = asked;
    // The last answer comes after the database has refused once.
    void until(() => nth < 5 || context.errors.length > 0).then(() => ACCEPT(...asked));
  });
  const { id: merchantId } = await createMerchantFixture(database.pool);
  const ids = await insertDue(database.pool, { merchantId, url: shop.url, at: T0, count: 5 });
  // A damaged block of the table would cause the same error.
  await database.pool.query(`
    CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS
      $$BEGIN RAISE EXCEPTION 'damaged' USING ERRCODE = 'XX001'; END$$;
    CREATE TRIGGER refuse BEFORE UPDATE ON callbacks
      FOR EACH ROW EXECUTE FUNCTION refuse()`);
  expect(await runPump(context, { recordLimitMs: 100, budgetMs: 500 })).toEqual({ count: 5 });
  const told = context.errors.find((error) => /not recorded/.test(String(error))) as Error;
  const [, count, named = ''] = /within 0\.1 s: (\d+); .*: (.*), …$/.exec(told.message) ?? [];
  expect(count).toBe('5');
  expect(named.split(', ')).toHaveLength(3);
  expect(ids).toEqual(expect.arrayContaining(named.split(', ')));
  expect(context.errors).toContainEqual(expect.objectContaining({ message: 'damaged' }));
  const again = { now: new Date(T0.getTime() + 29_999), limit: 10 };
  expect((await deliverOnce(context, again)).attempted).toBe(0);
  expect(shop.received).toHaveLength(5);
  await context.sender.close();
  await shop.close();
});
