import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../testing/database/database.ts';
import { codeAt } from '../../testing/second-factor.ts';
import {
  createStaffedShop,
  STAFF_ADDRESS,
  type StaffedShop,
  useSession,
} from '../../testing/staff.ts';
import { createSession, findSession } from '../sessions.ts';
import { findPendingSession, passSecondStep } from './second-step.ts';

const NOW = new Date('2026-11-21T12:00:00.000Z');
const MINUTE_MS = 60_000;
const WEEK_MS = 7 * 24 * 60 * MINUTE_MS;

let database: TestDatabase;
let shop: StaffedShop;
let recoveryCode: string;
let serial = 0;
beforeAll(async () => {
  database = await createTestDatabase();
  [shop, recoveryCode] = await withSecondFactor();
});
afterAll(() => database.drop());

/** A shop whose owner has a second factor, and one of their recovery codes. */
async function withSecondFactor(): Promise<[StaffedShop, string]> {
  const ownerEmail = `owner-${++serial}@example.com`;
  const made = await createStaffedShop(database.pool, NOW, ownerEmail);
  const { security } = made.calls();
  const { secret } = await security.beginSecondFactor({ proof: made.owner.password });
  const code = codeAt(secret, NOW);
  const { recoveryCodes } = await security.confirmSecondFactor({ code });
  return [made, recoveryCodes[0] ?? ''];
}

async function enter({ owner }: StaffedShop, code: string) {
  const { pool } = database;
  const { userId } = owner;
  const { id } = await createSession(pool, { userId, address: null, userAgent: null, now: NOW });
  const pending = await findPendingSession(pool, id, NOW);
  if (!pending) throw new Error('nothing waits');
  return await passSecondStep(pool, pending, { code, address: null, now: NOW });
}

it('a recovery code of somebody else’s lets nobody in, and stays theirs', async () => {
  const [own] = await withSecondFactor();
  const [other, code] = await withSecondFactor();
  expect(await enter(own, code)).toBe('refused');
  expect(await enter(other, code)).toBe('passed');
});

it('a session that passed its code runs for a week from then, and the log tells from where', async () => {
  const { pool } = database;
  const { userId } = shop.owner;
  const { id } = await createSession(pool, { userId, address: null, userAgent: null, now: NOW });
  const passedMs = NOW.getTime() + 5 * MINUTE_MS;
  const now = new Date(passedMs);
  const pending = await findPendingSession(pool, id, now);
  if (!pending) throw new Error('nothing waits');
  const step = { code: recoveryCode, address: STAFF_ADDRESS, now };
  expect(await passSecondStep(pool, pending, step)).toBe('passed');
  const runsAfter = async (ms: number) =>
    (await findSession(pool, id, new Date(passedMs + ms))) !== null;
  expect(await runsAfter(16 * MINUTE_MS)).toBe(true);
  await useSession(pool, id, now, new Date(passedMs + WEEK_MS));
  expect(await runsAfter(WEEK_MS - 1)).toBe(true);
  expect(await runsAfter(WEEK_MS)).toBe(false);
  const { rows } = await pool.query(
    `SELECT address FROM audit_log WHERE merchant_id = $1 AND action = 'session.sign_in'`,
    [shop.merchantId],
  );
  expect(rows).toEqual([{ address: STAFF_ADDRESS }]);
});
