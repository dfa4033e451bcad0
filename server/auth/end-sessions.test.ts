import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../testing/database/database.ts';
import { type OpenedMerchant, openMerchant } from '../testing/merchants.ts';
import { turnOnSecondFactor } from '../testing/second-factor.ts';
import { newSession, STAFF_ADDRESS } from '../testing/staff.ts';
import { signOut } from './end-sessions.ts';
import { findPendingSession } from './second-factor/second-step.ts';
import { findSession, SESSION_LIFETIME_MS } from './sessions.ts';

const NOW = new Date('2026-11-21T12:00:00.000Z');
const COMMAND = { type: 'operator', id: null, label: 'test' } as const;

let database: TestDatabase;
let shop: OpenedMerchant;
let serial = 0;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  shop = await newShop(`owner-${++serial}@example.com`);
});

const newShop = (ownerEmail: string) =>
  openMerchant(database.pool, { name: 'Shop', ownerEmail, actor: COMMAND, now: NOW });

const leave = (sessionId: string, now = NOW) =>
  signOut(database.pool, { sessionId, address: STAFF_ADDRESS, now });

/** The entries of a sign-out of the shop's owner. */
async function told(): Promise<unknown[]> {
  const { rows } = await database.pool.query(
    `SELECT merchant_id, actor_type, actor_label, address, at FROM audit_log
     WHERE action = 'session.sign_out' AND target_id = $1 AND actor_id = $1 ORDER BY id`,
    [shop.owner.userId],
  );
  return rows;
}

const rowsOf = async (sessionId: string) =>
  (await database.pool.query('SELECT FROM sessions WHERE id = $1', [sessionId])).rowCount;

it('a sign-out ends the session, and the logs of all one’s merchants tell of it once', async () => {
  const { pool } = database;
  const { userId, email } = shop.owner;
  const other = await newShop(email);
  const [mine, elsewhere] = [
    await newSession(pool, userId, NOW),
    await newSession(pool, userId, NOW),
  ];
  await Promise.all([leave(mine.id), leave(mine.id)]);
  expect(await findSession(pool, mine.id, NOW)).toBeNull();
  expect(await findSession(pool, elsewhere.id, NOW)).not.toBeNull();
  const entry = { actor_type: 'staff', actor_label: email, address: STAFF_ADDRESS, at: NOW };
  expect(await told()).toEqual(
    [shop.merchantId, other.merchantId].sort().map((merchant_id) => ({ merchant_id, ...entry })),
  );
});

it('a session that had run out is ended without an entry', async () => {
  const { id } = await newSession(database.pool, shop.owner.userId, NOW);
  await leave(id, new Date(NOW.getTime() + SESSION_LIFETIME_MS));
  expect([await rowsOf(id), await told()]).toEqual([0, []]);
});

it('so is one that still owed a code', async () => {
  const { pool } = database;
  const { userId, password } = shop.owner;
  const [mine, owing] = [await newSession(pool, userId, NOW), await newSession(pool, userId, NOW)];
  await turnOnSecondFactor(pool, { session: mine, password, now: NOW });
  expect(await findPendingSession(pool, owing.id, NOW)).not.toBeNull();
  await leave(owing.id);
  expect([await rowsOf(owing.id), await told()]).toEqual([0, []]);
  await leave(mine.id);
  expect(await told()).toHaveLength(1);
});
