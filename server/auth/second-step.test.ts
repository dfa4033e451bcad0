import { TOTP } from 'otpauth';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../testing/database.ts';
import { createStaffedShop, STAFF_ADDRESS, type StaffedShop } from '../testing/staff.ts';
import { findPendingSession, passSecondStep } from './second-step.ts';
import { createSession, findSession } from './sessions.ts';

const NOW = new Date('2026-11-21T12:00:00.000Z');
const MINUTE_MS = 60_000;
const WEEK_MS = 7 * 24 * 60 * MINUTE_MS;

let database: TestDatabase;
let shop: StaffedShop;
let recoveryCode: string;
beforeAll(async () => {
  database = await createTestDatabase();
  shop = await createStaffedShop(database.pool, NOW);
  const { security } = shop.calls();
  const { secret } = await security.beginSecondFactor({ proof: shop.owner.password });
  const code = new TOTP({ secret }).generate({ timestamp: NOW.getTime() });
  const { recoveryCodes } = await security.confirmSecondFactor({ code });
  recoveryCode = recoveryCodes[0] ?? '';
});
afterAll(() => database.drop());

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
  expect(await runsAfter(WEEK_MS - 1)).toBe(true);
  expect(await runsAfter(WEEK_MS)).toBe(false);
  const { rows } = await pool.query(
    `SELECT address FROM audit_log WHERE merchant_id = $1 AND action = 'session.sign_in'`,
    [shop.merchantId],
  );
  expect(rows).toEqual([{ address: STAFF_ADDRESS }]);
});
