import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readCallback } from '../callbacks/data.ts';
import { insertDue } from '../testing/callbacks.ts';
import { createTestDatabase, type TestDatabase } from '../testing/database/database.ts';
import { createMerchantFixture, type MerchantFixture } from '../testing/factories.ts';
import { migrationNames, migrationsFolder } from './migrate.ts';

const FIRST = '20261129163000_callback_ids_checked';
const T0 = new Date('2026-11-21T12:00:00.000Z');
const URL = 'http://127.0.0.1:1/';

let database: TestDatabase;
let merchant: MerchantFixture;

const apply = async (isMeant: (name: string) => boolean) => {
  for (const name of (await migrationNames()).filter(isMeant)) {
    await database.pool.query(
      readFileSync(join(migrationsFolder(), name, 'migration.sql'), 'utf8'),
    );
  }
};

beforeAll(async () => {
  database = await createTestDatabase();
  await database.pool.query('DROP SCHEMA public CASCADE; CREATE SCHEMA public');
  await apply((name) => name < FIRST);
  merchant = await createMerchantFixture(database.pool);
});
afterAll(() => database.drop());

const due = async (count: number) =>
  await insertDue(database.pool, { merchantId: merchant.id, url: URL, at: T0, count });

const attemptBefore = (invoiceId: string) =>
  database.pool.query(
    `INSERT INTO callback_attempts
       (callback_id, invoice_id, number, started_at, duration_ms, http_status, delivered, trigger)
     VALUES ('ntf_' || substr($1, 5), $1, 1, $2, 5, 200, true, 'schedule')`,
    [invoiceId, T0],
  );

const read = (id: string) => readCallback(database.pool, merchant.sandbox.tenant, id, { now: T0 });

test('what a migration that was cut short left without ids has them as keys', async () => {
  const [bare = '', whole = ''] = await due(2);
  await attemptBefore(bare);
  await attemptBefore(whole);
  await database.pool.query(
    `ALTER TABLE callbacks DISABLE TRIGGER callbacks_filled;
     UPDATE callbacks SET id = NULL WHERE invoice_id = '${bare}';
     UPDATE callback_attempts SET callback_id = NULL WHERE invoice_id = '${bare}';
     ALTER TABLE callbacks ENABLE TRIGGER callbacks_filled`,
  );
  await apply((name) => name >= FIRST);
  for (const invoiceId of [bare, whole]) {
    const found = await read(invoiceId);
    expect(found?.callback).toMatchObject({ id: `ntf_${invoiceId.slice(4)}`, invoiceId });
    expect(found?.attempts).toHaveLength(1);
  }
});
