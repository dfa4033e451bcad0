import { afterAll, beforeAll, expect, it } from 'vitest';
import { findSession } from '../auth/sessions.ts';
import { setMember } from '../staff/members.ts';
import { createTestDatabase, type TestDatabase } from '../testing/database/database.ts';
import { callerOf, createStaffedShop, newSession, type StaffedShop } from '../testing/staff.ts';

const NOW = new Date('2026-11-21T12:00:00.000Z');
const WEEK_BEFORE = new Date(NOW.getTime() - 7 * 24 * 3_600_000);
const NOT_FOUND = { code: 'NOT_FOUND' };

let database: TestDatabase;
let serial = 0;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const newShop = () => createStaffedShop(database.pool, NOW, `owner-${++serial}@example.com`);

/** A new session of an owner, and its calls. */
async function signIn({ owner }: StaffedShop, now = NOW) {
  const { id } = await newSession(database.pool, owner.userId, now);
  const calls = async () => {
    const session = await findSession(database.pool, id, NOW);
    if (!session) throw new Error('no session');
    return callerOf(database.pool, session, { now: NOW });
  };
  return { id, calls };
}

it('goes to another merchant of one’s own, with the role there, and to no other', async () => {
  const { pool } = database;
  const [own, other, strange] = [await newShop(), await newShop(), await newShop()];
  const { userId } = own.owner;
  await setMember(pool, { merchantId: other.merchantId, userId, role: 'viewer', now: NOW });
  const { calls } = await signIn(own);
  await (await calls()).account.switchMerchant({ merchantId: own.merchantId });
  const before = await (await calls()).account.current();
  expect(before).toMatchObject({ merchant: { id: own.merchantId, role: 'owner' } });
  expect(before.permissions).toContain('team.secure');
  expect(before.merchants.map(({ id, role }) => ({ id, role }))).toEqual(
    expect.arrayContaining([
      { id: own.merchantId, role: 'owner' },
      { id: other.merchantId, role: 'viewer' },
    ]),
  );
  await (await calls()).account.switchMerchant({ merchantId: other.merchantId });
  const { account } = await calls();
  expect(await account.current()).toMatchObject({
    merchant: { id: other.merchantId, role: 'viewer' },
    permissions: [
      'account.self',
      'notices.choose',
      'views.keep',
      'invoice.read',
      'business.read',
      'register.email',
      'team.read',
    ],
  });
  const away = account.switchMerchant({ merchantId: strange.merchantId });
  await expect(away).rejects.toMatchObject(NOT_FOUND);
});

it('says where payments can be taken: not in production, which has no acquirer', async () => {
  const { calls } = await newShop();
  expect((await calls().account.current()).takesPayments).toBe(true);
  const { takesPayments } = await calls({ environment: 'production' }).account.current();
  expect(takesPayments).toBe(false);
});

it('lists one’s running sessions and ends them, and nobody else’s', async () => {
  const { pool } = database;
  const [shop, strange] = [await newShop(), await newShop()];
  const ended = await signIn(shop, WEEK_BEFORE);
  const [mine, other] = [await signIn(shop), await signIn(shop)];
  const theirs = await signIn(strange);
  const { account } = await mine.calls();
  const listed = async () => (await account.sessions()).map(({ id }) => id);
  expect(await listed()).toEqual(expect.arrayContaining([mine.id, other.id]));
  expect(await listed()).not.toContain(ended.id);
  const current = (await account.sessions()).filter(({ isCurrent }) => isCurrent);
  expect(current.map(({ id }) => id)).toEqual([mine.id]);
  const notMine = account.endSession({ sessionId: theirs.id });
  await expect(notMine).rejects.toMatchObject(NOT_FOUND);
  expect(await findSession(pool, theirs.id, NOW)).not.toBeNull();
  await account.endSession({ sessionId: other.id });
  expect(await findSession(pool, other.id, NOW)).toBeNull();
  await account.endOtherSessions();
  expect(await listed()).toEqual([mine.id]);
});
