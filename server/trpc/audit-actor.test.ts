import { afterAll, beforeAll, expect, it } from 'vitest';
import { findSession } from '../auth/sessions.ts';
import { addOperator } from '../operating/operators.ts';
import { findOrCreateUser } from '../staff/members.ts';
import { createTestDatabase, type TestDatabase } from '../testing/database/database.ts';
import {
  callerOf,
  createStaffedShop,
  newSession,
  STAFF_ADDRESS,
  type StaffedShop,
} from '../testing/staff.ts';

const NOW = new Date('2026-11-21T12:00:00.000Z');

let database: TestDatabase;
let shop: StaffedShop;
beforeAll(async () => {
  database = await createTestDatabase();
  shop = await createStaffedShop(database.pool, NOW);
});
afterAll(() => database.drop());

/** The entries of one action in the shop's log. */
async function told(action: string) {
  const { rows } = await database.pool.query(
    `SELECT actor_type AS type, actor_id AS id, actor_label AS label, address FROM audit_log
     WHERE merchant_id = $1 AND action = $2`,
    [shop.merchantId, action],
  );
  return rows;
}

it('what staff do is told with who and from where, for the merchant and for themselves', async () => {
  const { owner } = shop;
  const { account, developers } = shop.calls();
  await developers.createToken({ name: 'Server', expiresInDays: null });
  await newSession(database.pool, owner.userId, NOW);
  await account.endOtherSessions();
  const staff = { type: 'staff', id: owner.userId, label: owner.email, address: STAFF_ADDRESS };
  expect(await told('token.create')).toEqual([staff]);
  expect(await told('session.end_others')).toEqual([staff]);
});

it('who acts for a merchant is told as the gateway’s own, and from where', async () => {
  const { pool } = database;
  const label = 'operator@example.com';
  const test = { type: 'operator', id: null, label: 'test' } as const;
  await addOperator(pool, { email: label, actor: test, now: NOW });
  const { id } = await findOrCreateUser(pool, { email: label, now: NOW });
  const before = await newSession(pool, id, NOW);
  await callerOf(pool, before, { now: NOW }).operator.act({ merchantId: shop.merchantId });
  const acting = await findSession(pool, before.id, NOW);
  if (!acting) throw new Error('no session');
  const { callbacks } = callerOf(pool, acting, { now: NOW });
  await callbacks.resendFailed({ sinceMs: 0 });
  const operator = { type: 'operator', id, label, address: STAFF_ADDRESS };
  expect(await told('merchant.act_begin')).toEqual([operator]);
  expect(await told('callback.resend_failed')).toEqual([operator]);
});
