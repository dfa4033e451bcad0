import { afterAll, beforeAll, expect, it } from 'vitest';
import { idBefore } from '../lib/ids.ts';
import { grantTenant } from '../merchants/tenant.ts';
import type { Environment } from '../merchants/types.ts';
import { findOrCreateUser, setMember } from '../staff/members.ts';
import { insertDue } from '../testing/callbacks.ts';
import { createTestDatabase, type TestDatabase } from '../testing/database/database.ts';
import { createMerchantFixture } from '../testing/factories.ts';
import { createTestInvoice } from '../testing/invoices.ts';
import { listMerchantHealth, readMerchantHealth } from './merchants.ts';

const NOW = new Date('2026-11-21T12:00:00.000Z');
const MINUTE_BEFORE = new Date(NOW.getTime() - 60_000);
const COUNTED_TO = 1_000;

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

async function activityOf(merchantId: string, of: Environment = 'sandbox') {
  const at = { now: NOW, tenantOf: grantTenant };
  const health = await readMerchantHealth(database.pool, merchantId, at);
  return health?.activity.find(({ environment }) => environment === of);
}

it('what was paid within a day is exact, however much it is', async () => {
  const { id } = await createMerchantFixture(database.pool);
  await database.pool.query(
    `INSERT INTO invoices (id, merchant_id, environment, merchant_transaction_id, status,
       amount_minor, currency, description, positions, success_url, error_url, callback_url,
       end_date, created_at, status_changed_at, capture_attempt_id)
     SELECT $2 || n, $1, 'sandbox', n, 'PAID', 7, (CASE WHEN n = 1 THEN 'EUR' ELSE 'USD' END)::currency,
            'x', '[]', 'x', 'x', 'x', $3, $3, $3, 'pay_x'
     FROM generate_series(1, 10002) n`,
    [id, idBefore('inv', MINUTE_BEFORE.getTime()), MINUTE_BEFORE.toISOString()],
  );
  expect((await activityOf(id))?.paid).toEqual({
    count: 10_002,
    byCurrency: [
      { currency: 'USD', amountMinor: 70_007n },
      { currency: 'EUR', amountMinor: 7n },
    ],
  });
});

it('of callbacks it says where it counts no further', async () => {
  const { pool } = database;
  const { id: merchantId } = await createMerchantFixture(pool);
  const more = (state: 'pending' | 'exhausted', count: number) =>
    insertDue(pool, { merchantId, url: 'http://x/', at: MINUTE_BEFORE, count }).then((ids) =>
      pool.query('UPDATE callbacks SET state = $2::callback_state WHERE invoice_id = ANY($1)', [
        ids,
        state,
      ]),
    );
  await more('pending', COUNTED_TO - 1);
  await more('exhausted', COUNTED_TO - 1);
  expect(await activityOf(merchantId)).toMatchObject({
    callbacksDue: COUNTED_TO - 1,
    callbacksDueIsMore: false,
    exhausted: COUNTED_TO - 1,
    exhaustedIsMore: false,
  });
  await more('pending', 2);
  await more('exhausted', 2);
  expect(await activityOf(merchantId)).toMatchObject({
    callbacksDue: COUNTED_TO,
    callbacksDueIsMore: true,
    exhausted: COUNTED_TO,
    exhaustedIsMore: true,
  });
});

it('counts the callbacks of all queues of an environment, and of no other', async () => {
  const { pool } = database;
  const { id: merchantId } = await createMerchantFixture(pool);
  const insert = async (environment: Environment, ageMs: number, count: number, set = '') => {
    const at = new Date(NOW.getTime() - ageMs);
    const ids = await insertDue(pool, { merchantId, environment, url: 'http://x/', at, count });
    if (set) await pool.query(`UPDATE callbacks SET ${set} WHERE invoice_id = ANY($1)`, [ids]);
  };
  const retry = 'attempt_count = 1';
  await insert('production', 1_000, 2);
  await insert('production', 3_000, COUNTED_TO - 6, retry);
  await insert('production', 2_000, 3, "next_trigger = 'resend'");
  await insert('production', -1_000, 9, retry);
  await insert('sandbox', 7_000, 8, retry);
  const few = { callbacksDue: COUNTED_TO - 1, callbacksDueIsMore: false, callbackLagMs: 3_000 };
  expect(await activityOf(merchantId, 'production')).toMatchObject(few);
  expect(await activityOf(merchantId)).toMatchObject({ callbacksDue: 8, callbackLagMs: 7_000 });
  await insert('production', 5_000, 2);
  const more = { callbacksDue: COUNTED_TO, callbacksDueIsMore: true, callbackLagMs: 5_000 };
  expect(await activityOf(merchantId, 'production')).toMatchObject(more);
});

it('what was given up is told for a week', async () => {
  const { pool } = database;
  const { id: merchantId } = await createMerchantFixture(pool);
  const weekBefore = NOW.getTime() - 7 * 24 * 3_600_000;
  for (const atMs of [weekBefore - 1, weekBefore]) {
    await insertDue(pool, { merchantId, url: 'http://x/', at: new Date(atMs) });
  }
  await pool.query(`UPDATE callbacks SET state = 'exhausted' WHERE merchant_id = $1`, [merchantId]);
  expect(await activityOf(merchantId)).toMatchObject({ exhausted: 1 });
  expect(await activityOf(merchantId, 'production')).toMatchObject({ exhausted: 0 });
});

it('an address finds the merchants whose owner it is, and no others', async () => {
  const { pool } = database;
  const [own, other] = [await createMerchantFixture(pool), await createMerchantFixture(pool)];
  const email = 'both@example.com';
  const { id: userId } = await findOrCreateUser(pool, { email, now: NOW });
  await setMember(pool, { merchantId: own.id, userId, role: 'owner', now: NOW });
  await setMember(pool, { merchantId: other.id, userId, role: 'admin', now: NOW });
  const page = { search: email, first: [], page: 1, limit: 5, environment: 'sandbox' } as const;
  const found = await listMerchantHealth(pool, { ...page, now: NOW, tenantOf: grantTenant });
  expect(found.merchants.map(({ id }) => id)).toEqual([own.id]);
  const at = { now: NOW, tenantOf: grantTenant };
  expect((await readMerchantHealth(pool, own.id, at))?.ownerEmails).toEqual([email]);
  expect((await readMerchantHealth(pool, other.id, at))?.ownerEmails).toEqual([]);
});

it('a name is found however its letters, apostrophes and dashes are typed', async () => {
  const { pool } = database;
  const own = await createMerchantFixture(pool);
  const name = 'Oʻrik – cafe\u0301 100%';
  await pool.query('UPDATE merchants SET name = $2 WHERE id = $1', [own.id, name]);
  const page = { first: [], page: 1, limit: 5, environment: 'sandbox' } as const;
  for (const search of [name, "O'RIK - Café", 'Ｏ’rik', ' 100% ']) {
    const found = await listMerchantHealth(pool, {
      ...{ ...page, search, now: NOW, tenantOf: grantTenant },
    });
    expect([search, found.merchants.map(({ id }) => id)]).toEqual([search, [own.id]]);
  }
});

it('an invoice’s id finds the merchant whose it is, and no other', async () => {
  const { pool } = database;
  const [own] = [await createMerchantFixture(pool), await createMerchantFixture(pool)];
  const search = await createTestInvoice(pool, own.sandbox.tenant, { now: NOW });
  const page = { search, first: [], page: 1, limit: 5, environment: 'sandbox' } as const;
  const found = await listMerchantHealth(pool, { ...page, now: NOW, tenantOf: grantTenant });
  expect(found.merchants.map(({ id }) => id)).toEqual([own.id]);
});
