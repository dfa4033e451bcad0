import { afterAll, beforeAll, expect, it } from 'vitest';
import { findReset, resetPassword } from '../auth/password-reset.ts';
import { createMerchant } from '../merchants/mutations.ts';
import { createTestDatabase, type TestDatabase } from '../testing/database/database.ts';
import { addOwner } from './add-owner.ts';
import { setPersonStatus } from './person-status.ts';
import { listWaitingOwners, renewOwnerLink } from './waiting-owners.ts';

const NOW = new Date('2026-11-26T12:00:00.000Z');
const WEEK_MS = 7 * 24 * 3_600_000;
const LATER = new Date(NOW.getTime() + WEEK_MS + 1);
const ACTOR = { type: 'operator', id: null, label: 'test' } as const;

let database: TestDatabase;
let serial = 0;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

async function shop() {
  const { pool } = database;
  const ownerEmail = `owner-${++serial}@example.com`;
  const made = await createMerchant(pool, { name: 'Shop', ownerEmail, actor: ACTOR, now: NOW });
  const { merchantId, owner } = made;
  const token = owner.link?.token ?? '';
  const renew = (now = NOW, of = merchantId) =>
    renewOwnerLink(pool, { merchantId: of, userId: owner.userId, actor: ACTOR, now });
  const waiting = (now = NOW) => listWaitingOwners(pool, merchantId, now);
  return { merchantId, owner, token, renew, waiting };
}

const opens = async (token: string, now: Date) =>
  (await findReset(database.pool, token, now)) !== null;
const set = (token: string) =>
  resetPassword(database.pool, {
    ...{ token, password: 'correct horse battery', address: '192.0.2.1', now: NOW },
  });

it('an owner waits until they have come in, and is told with the end of the link', async () => {
  const { owner, token, waiting } = await shop();
  const { userId, email } = owner;
  expect(await waiting()).toEqual([{ userId, email, linkUntilMs: NOW.getTime() + WEEK_MS }]);
  expect(await waiting(LATER)).toEqual([{ userId, email, linkUntilMs: null }]);
  await set(token);
  expect(await waiting()).toEqual([]);
});

it('only owners of that merchant are told, and no disabled account', async () => {
  const [one, other] = [await shop(), await shop()];
  const email = `second-${serial}@example.com`;
  const { merchantId } = one;
  await addOwner(database.pool, { merchantId, email, actor: ACTOR, now: NOW });
  expect((await one.waiting()).map((each) => each.email)).toEqual([one.owner.email, email]);
  expect((await other.waiting()).map((each) => each.email)).toEqual([other.owner.email]);
  await setPersonStatus(database.pool, { email, status: 'disabled', actor: ACTOR, now: NOW });
  await database.pool.query(`UPDATE memberships SET role = 'viewer' WHERE user_id = $1`, [
    other.owner.userId,
  ]);
  expect((await one.waiting()).map((each) => each.email)).toEqual([one.owner.email]);
  expect(await other.waiting()).toEqual([]);
});

it('another link works for a week, ends the one before, and stands in the audit log', async () => {
  const { merchantId, owner, token, renew } = await shop();
  const { link, merchantName } = await renew(LATER);
  expect(merchantName).toBe('Shop');
  expect(link).toMatchObject({
    email: owner.email,
    expiresAt: new Date(LATER.getTime() + WEEK_MS),
  });
  expect([await opens(token, NOW), await opens(link.token, LATER)]).toEqual([false, true]);
  const { rows } = await database.pool.query(
    `SELECT at FROM audit_log WHERE merchant_id = $1 AND action = 'person.invite' ORDER BY at`,
    [merchantId],
  );
  expect(rows).toEqual([{ at: NOW }, { at: LATER }]);
});

it('whoever has come in, is disabled, or owns another merchant gets none', async () => {
  const [used, disabled, other] = [await shop(), await shop(), await shop()];
  await set(used.token);
  await expect(used.renew()).rejects.toMatchObject({ kind: 'conflict' });
  const { email } = disabled.owner;
  await setPersonStatus(database.pool, { email, status: 'disabled', actor: ACTOR, now: NOW });
  await expect(disabled.renew()).rejects.toMatchObject({ kind: 'conflict' });
  await expect(other.renew(NOW, used.merchantId)).rejects.toMatchObject({ kind: 'not_found' });
  expect(await opens(other.token, NOW)).toBe(true);
});
