import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readCallback } from '../callbacks/data.ts';
import { claimDue } from '../callbacks/queue/claim.ts';
import { recordResults } from '../callbacks/queue/record.ts';
import { resendCallback } from '../callbacks/resend.ts';
import { resultOf } from '../testing/callbacks.ts';
import { createTestDatabase, type TestDatabase } from '../testing/database/database.ts';
import { createMerchantFixture, type MerchantFixture } from '../testing/factories.ts';
import { fillCallbackIds } from './fill-callback-ids.ts';
import { applyMigrations, migrationNames, migrationsFolder } from './migrate.ts';

// What the previous version, whose callbacks have their invoices as key, writes and reads beside
// this one.

const FIRST = '20261129093500_callback_ids';
const LAST = '20261129093503_pending_callback_ids';
const T0 = new Date('2026-11-21T12:00:00.000Z');
const ACTOR = { type: 'operator', id: null, label: 'gateway command' } as const;

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

/** Writes a change of status as the previous version does; also its attempt, if it is delivered. */
async function writeBefore(name: string, state: 'pending' | 'delivered' | 'exhausted' = 'pending') {
  const id = `inv_${name}`;
  const of = [id, merchant.id, T0, state];
  await database.pool.query(
    `WITH invoice AS (
       INSERT INTO invoices (id, merchant_id, environment, merchant_transaction_id, status,
         amount_minor, currency, description, positions, success_url, error_url, callback_url,
         end_date, created_at, status_changed_at)
       VALUES ($1::text, $2::text, 'sandbox', $1, 'CANCELED', 1, 'USD', 'd', '[]', 'http://a',
         'http://a', 'http://127.0.0.1:1/', $3::timestamptz, $3, $3))
     INSERT INTO callbacks (invoice_id, merchant_id, environment, url, host, invoice_status, body,
       state, attempt_count, next_attempt_at, created_at, request_id)
     VALUES ($1, $2, 'sandbox', 'http://127.0.0.1:1/', 'h', 'CANCELED', '{}',
       $4::text::callback_state, CASE WHEN $4 = 'pending' THEN 0 ELSE 1 END, $3, $3, NULL)`,
    of,
  );
  if (state !== 'pending') await attemptBefore(id);
  return id;
}

const attemptBefore = (id: string, number = 1) =>
  database.pool.query(
    `INSERT INTO callback_attempts
       (invoice_id, number, started_at, duration_ms, http_status, delivered, reason, answer, trigger)
     VALUES ($1, $2, $3, 5, 200, true, NULL, NULL, 'schedule')`,
    [id, number, T0],
  );

/** Keeps a lease as the previous version does. */
const leaseBefore = (ids: string[]) =>
  database.pool.query(
    `INSERT INTO callback_leases (merchant_id, holder_id, invoice_ids, due_ats, leased_until)
     VALUES ($1, 'before', $2::text[], $3::timestamptz[], $4::timestamptz)
     ON CONFLICT (merchant_id, holder_id) DO UPDATE
       SET invoice_ids = excluded.invoice_ids, due_ats = excluded.due_ats,
           leased_until = excluded.leased_until`,
    [merchant.id, ids, ids.map(() => T0), new Date(T0.getTime() + 30_000)],
  );

/** The callbacks that the previous version takes to be held by others. */
const heldBefore = async () => {
  const { rows } = await database.pool.query<{ id: string }>(
    `SELECT c.invoice_id AS id FROM callbacks c WHERE (c.invoice_id, c.next_attempt_at) IN (
       SELECT a.invoice_id, a.due_at FROM callback_leases l
       CROSS JOIN LATERAL unnest(l.invoice_ids, l.due_ats) AS a (invoice_id, due_at)
       WHERE l.merchant_id = $1 AND l.holder_id <> 'before') ORDER BY 1`,
    [merchant.id],
  );
  return rows.map(({ id }) => id);
};

const read = (id: string) => readCallback(database.pool, merchant.sandbox.tenant, id, { now: T0 });

describe('ids of callbacks', () => {
  test('are given to what was there: at once to what waits, then to all else', async () => {
    const waiting = await writeBefore('waiting');
    const done = await writeBefore('done', 'delivered');
    await apply((name) => name >= FIRST && name < LAST);
    // The previous version keeps running between the migrations.
    const between = await writeBefore('between', 'exhausted');
    const touched = await writeBefore('touched');
    await database.pool.query('UPDATE callbacks SET id = NULL WHERE invoice_id = $1', [touched]);
    await apply((name) => name >= LAST);
    const bare = 'SELECT invoice_id FROM callbacks WHERE id IS NULL';
    expect((await database.pool.query(bare)).rows).toEqual([{ invoice_id: done }]);
    await fillCallbackIds(database.pool);
    expect((await database.pool.query(bare)).rows).toEqual([]);
    for (const id of [waiting, done, between, touched]) {
      const name = id.slice('inv_'.length);
      expect((await read(id))?.callback).toMatchObject({
        id: `ntf_${name}`,
        invoiceId: id,
        messageId: `msg_${name}`,
      });
    }
    expect((await read(done))?.attempts).toHaveLength(1);
    expect((await read(between))?.attempts).toHaveLength(1);
    // It ends when there is nothing to do.
    await fillCallbackIds(database.pool);
    await database.pool.query("UPDATE callbacks SET state = 'exhausted'");
  });

  test('what the version before writes is claimed, recorded and resent', async () => {
    const id = await writeBefore('fresh');
    const [claimed] = await claimDue(database.pool, { now: T0, limit: 10 });
    expect(claimed).toMatchObject({ id: 'ntf_fresh', invoiceId: id });
    await recordResults(database.pool, [resultOf(claimed!, T0)]);
    await attemptBefore(id, 2);
    const found = await read(id);
    expect(found?.callback.state).toBe('delivered');
    expect(found?.attempts.map(({ number }) => number)).toEqual([1, 2]);
    const resent = { actor: ACTOR, now: T0 };
    const { tenant } = merchant.sandbox;
    expect(await resendCallback(database.pool, tenant, id, resent)).toBe('queued');
    await database.pool.query("UPDATE callbacks SET state = 'exhausted'; TRUNCATE callback_leases");
  });

  test('neither version sends what the other holds', async () => {
    const [a, b, c] = [await writeBefore('a'), await writeBefore('b'), await writeBefore('c')];
    await leaseBefore([a]);
    await leaseBefore([a, b]);
    const claimed = await claimDue(database.pool, { now: T0, limit: 10 });
    expect(claimed.map(({ invoiceId }) => invoiceId)).toEqual([c]);
    expect(await heldBefore()).toEqual([c]);
    expect((await read(a))?.callback.inFlight).toBe(true);
    await database.pool.query("UPDATE callbacks SET state = 'exhausted'; TRUNCATE callback_leases");
  });

  test('an invoice has one notification, whatever its id', async () => {
    const id = await writeBefore('once');
    const add = (columns: string, values: string) =>
      database.pool.query(
        `INSERT INTO callbacks (${columns}, merchant_id, environment, url, host, invoice_status, body,
           next_attempt_at, created_at)
         VALUES (${values}, '${merchant.id}', 'sandbox', 'http://a', 'h', 'CANCELED', '{}', now(), now())`,
      );
    await expect(add('id, invoice_id', `'ntf_other', '${id}'`)).rejects.toThrow('one_notification');
    await expect(add('invoice_id', `'${id}'`)).rejects.toThrow('duplicate key');
    // The next version has this, with the id as key.
    await database.pool.query('ALTER TABLE callbacks DROP CONSTRAINT callbacks_pkey');
    await expect(add('invoice_id', `'${id}'`)).rejects.toThrow('callbacks_id_key');
    await add('id, kind, target, invoice_id', `'ntf_event', 'event', 'events_address', '${id}'`);
  });
});

test('migrating fills in what a run that was cut short left', async () => {
  const cut = await createTestDatabase();
  await cut.pool.query(`
    INSERT INTO merchants (id, name) VALUES ('m', 'M');
    INSERT INTO invoices (id, merchant_id, environment, merchant_transaction_id, status,
      amount_minor, currency, description, positions, success_url, error_url, callback_url,
      end_date, created_at, status_changed_at)
    VALUES ('inv_x', 'm', 'sandbox', 'x', 'CANCELED', 1, 'USD', 'd', '[]', 'http://a', 'http://a',
      'http://a', now(), now(), now());
    INSERT INTO callbacks (invoice_id, merchant_id, environment, url, host, invoice_status, body,
      state, next_attempt_at, created_at)
    VALUES ('inv_x', 'm', 'sandbox', 'http://a', 'h', 'CANCELED', '{}', 'delivered', now(), now());
    ALTER TABLE callbacks DISABLE TRIGGER callbacks_filled;
    UPDATE callbacks SET id = NULL;
    ALTER TABLE callbacks ENABLE TRIGGER callbacks_filled`);
  expect(await applyMigrations(cut.url)).toEqual([]);
  expect((await cut.pool.query('SELECT id FROM callbacks')).rows).toEqual([{ id: 'ntf_x' }]);
  await cut.drop();
});
