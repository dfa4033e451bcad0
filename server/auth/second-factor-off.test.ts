import { TOTP } from 'otpauth';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../testing/database.ts';
import { openMerchant } from '../testing/merchants.ts';
import { newSession } from '../testing/staff.ts';
import { beginSecondFactor, confirmSecondFactor, turnOffSecondFactor } from './second-factor.ts';
import { findPendingSession } from './second-step.ts';
import { findSession } from './sessions.ts';

const NOW = new Date('2026-11-21T12:00:00.000Z');
const COMMAND = { type: 'operator', id: null, label: 'test' } as const;

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

it('a session that a second factor has shut out stays out when it is turned off', async () => {
  const { pool } = database;
  const { owner } = await openMerchant(pool, {
    ...{ name: 'Shop', ownerEmail: 'owner@example.com', actor: COMMAND, now: NOW },
  });
  const mine = await newSession(pool, owner.userId, NOW);
  const stolen = await newSession(pool, owner.userId, NOW);
  const actor = { type: 'staff' as const, id: owner.userId, label: owner.email };
  const own = { session: mine, actor, now: NOW };
  const { secret } = await beginSecondFactor(pool, own, owner.password);
  const code = new TOTP({ secret }).generate({ timestamp: NOW.getTime() });
  await confirmSecondFactor(pool, own, code);
  expect(await findPendingSession(pool, stolen.id, NOW)).not.toBeNull();
  await turnOffSecondFactor(pool, own, owner.password);
  expect(await findSession(pool, mine.id, NOW)).not.toBeNull();
  expect(await findSession(pool, stolen.id, NOW)).toBeNull();
});
