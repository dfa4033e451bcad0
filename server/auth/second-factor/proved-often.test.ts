import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../testing/database/database.ts';
import { openMerchant } from '../../testing/merchants.ts';
import { turnOnSecondFactor } from '../../testing/second-factor.ts';
import { newSession } from '../../testing/staff.ts';
import { renewRecoveryCodes } from './second-factor.ts';
import { findPendingSession, passSecondStep } from './second-step.ts';
import { countProved } from './take-code.ts';

const NOW = new Date('2026-11-21T12:00:00.000Z');
const LATER = new Date(NOW.getTime() + 15 * 60_000);
const COMMAND = { type: 'operator', id: null, label: 'test' } as const;
const TOO_OFTEN = { code: 'proofs_throttled' };

let database: TestDatabase;
let serial = 0;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

/** A person with a second factor, who has proved their identity once and can do so by password. */
async function person() {
  const { pool } = database;
  const ownerEmail = `owner-${++serial}@example.com`;
  const shop = { name: 'Shop', ownerEmail, actor: COMMAND, now: NOW };
  const { owner } = await openMerchant(pool, shop);
  const session = await newSession(pool, owner.userId, NOW);
  const { password } = owner;
  const { own } = await turnOnSecondFactor(pool, { session, password, now: NOW });
  const renew = (proof = password, now = NOW) => renewRecoveryCodes(pool, { ...own, now }, proof);
  return { userId: owner.userId, renew };
}

it('right proofs are counted as well: twenty in a quarter of an hour', async () => {
  const { userId, renew } = await person();
  for (let proofs = 1; proofs < 20; proofs++) await renew();
  await expect(renew()).rejects.toMatchObject(TOO_OFTEN);
  const { rows } = await database.pool.query(
    `SELECT count(*)::int AS count FROM audit_log
     WHERE action = 'recovery_codes.renew' AND target_id = $1`,
    [userId],
  );
  expect(rows).toEqual([{ count: 19 }]);
  await renew(undefined, LATER);
});

it('also of those that are given at the same moment', async () => {
  const { userId, renew } = await person();
  for (let proofs = 1; proofs < 15; proofs++)
    await countProved(database.pool, { userId, now: NOW });
  const asked = await Promise.allSettled(Array.from({ length: 10 }, () => renew()));
  const refused = asked.filter(({ status }) => status === 'rejected');
  expect(refused).toMatchObject(Array.from({ length: 5 }, () => ({ reason: TOO_OFTEN })));
});

it('a recovery code that comes too late as a proof is not used up', async () => {
  const { pool } = database;
  const { userId, renew } = await person();
  const [code = ''] = (await renew()).recoveryCodes;
  for (let proofs = 2; proofs < 20; proofs++) await countProved(pool, { userId, now: NOW });
  await expect(renew(code)).rejects.toMatchObject(TOO_OFTEN);
  const { rows } = await pool.query<{ id: string }>(
    'UPDATE sessions SET second_factor_at = NULL WHERE user_id = $1 RETURNING id',
    [userId],
  );
  const pending = await findPendingSession(pool, rows[0]?.id ?? '', NOW);
  if (!pending) throw new Error('nothing waits');
  expect(await passSecondStep(pool, pending, { code, address: null, now: NOW })).toBe('passed');
});
