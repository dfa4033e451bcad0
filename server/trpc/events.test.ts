import { afterAll, beforeAll, expect, it } from 'vitest';
import { findOrCreateUser, setMember } from '../staff/members.ts';
import { createTestDatabase, type TestDatabase } from '../testing/database/database.ts';
import { callerOf, createStaffedShop, newSession, type StaffedShop } from '../testing/staff.ts';

const NOW = new Date('2026-11-21T12:00:00.000Z');
const WISH = { url: ' https://shop.example/events ', types: ['refund.failed' as const] };

let database: TestDatabase;
let shop: StaffedShop;
beforeAll(async () => {
  database = await createTestDatabase();
  shop = await createStaffedShop(database.pool, NOW);
});
afterAll(() => database.drop());

async function callsOf(role: 'developer' | 'finance' | 'support') {
  const { pool } = database;
  const person = { email: `${role}@example.com`, password: 'correct horse battery', now: NOW };
  const { id: userId } = await findOrCreateUser(pool, person);
  await setMember(pool, { merchantId: shop.merchantId, userId, role, now: NOW });
  return callerOf(pool, await newSession(pool, userId, NOW), { now: NOW }).events;
}

it('those who build set and remove the address, finance sees it, others do not', async () => {
  const [developer, finance, support] = await Promise.all([
    callsOf('developer'),
    callsOf('finance'),
    callsOf('support'),
  ]);
  const refused = { code: 'FORBIDDEN' };
  await expect(support.address()).rejects.toMatchObject(refused);
  await expect(finance.setAddress(WISH)).rejects.toMatchObject(refused);
  expect(await finance.address()).toBeNull();
  const set = { url: 'https://shop.example/events', types: WISH.types, setAtMs: NOW.getTime() };
  expect(await developer.setAddress(WISH)).toEqual(set);
  expect(await finance.address()).toEqual(set);
  await expect(finance.removeAddress()).rejects.toMatchObject(refused);
  await expect(developer.setAddress({ ...WISH, types: [] })).rejects.toMatchObject({
    code: 'BAD_REQUEST',
  });
  await expect(developer.setAddress({ ...WISH, url: 'http://10.0.0.1/' })).rejects.toThrow(
    'only to public addresses',
  );
  await developer.removeAddress();
  expect(await finance.address()).toBeNull();
});
