import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readCallback } from '../callbacks/data.ts';
import { claimDue } from '../callbacks/queue/claim.ts';
import { recordResults } from '../callbacks/queue/record.ts';
import { insertDue, resultOf } from '../testing/callbacks.ts';
import { createTestDatabase, type TestDatabase } from '../testing/database/database.ts';
import { createMerchantFixture, type MerchantFixture } from '../testing/factories.ts';
import { migrationNames, migrationsFolder } from './migrate.ts';

// What the previous version, which writes the invoice beside the id, leaves and writes.

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

const attemptBefore = (invoiceId: string, number: number) =>
  database.pool.query(
    `INSERT INTO callback_attempts
       (callback_id, invoice_id, number, started_at, duration_ms, http_status, delivered, trigger)
     VALUES ('ntf_' || substr($1, 5), $1, $2, $3, 5, 200, true, 'schedule')`,
    [invoiceId, number, T0],
  );

/** Claims as the previous version does: a lease with both. */
const leaseBefore = (invoiceId: string) =>
  database.pool.query(
    `INSERT INTO callback_leases
       (merchant_id, holder_id, callback_ids, invoice_ids, due_ats, leased_until)
     VALUES ($1, 'before', ARRAY['ntf_' || substr($2, 5)], ARRAY[$2], ARRAY[$3::timestamptz], $4)`,
    [merchant.id, invoiceId, T0, new Date(T0.getTime() + 30_000)],
  );

const read = (id: string) => readCallback(database.pool, merchant.sandbox.tenant, id, { now: T0 });

test('what a migration that was cut short left without ids has them as keys', async () => {
  const [bare = '', whole = ''] = await due(2);
  await attemptBefore(bare, 1);
  await attemptBefore(whole, 1);
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
  await database.pool.query("UPDATE callbacks SET state = 'exhausted'");
});

test('what the version before claims and records beside this one is known to this one', async () => {
  const [held = '', free = ''] = await due(2);
  await leaseBefore(held);
  const claimed = await claimDue(database.pool, { now: T0, limit: 10 });
  expect(claimed.map(({ invoiceId }) => invoiceId)).toEqual([free]);
  await recordResults(database.pool, [resultOf(claimed[0]!, T0)]);
  await attemptBefore(free, 2);
  expect((await read(held))?.callback.inFlight).toBe(true);
  expect((await read(free))?.attempts.map(({ number }) => number)).toEqual([1, 2]);
});
