import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../testing/database/database.ts';
import { openMerchant } from '../../testing/merchants.ts';
import { turnOnSecondFactor } from '../../testing/second-factor.ts';
import { newSession } from '../../testing/staff.ts';
import { findSession } from '../sessions.ts';
import { turnOffSecondFactor } from './second-factor.ts';
import { findPendingSession } from './second-step.ts';

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
  const { password } = owner;
  const { own } = await turnOnSecondFactor(pool, { session: mine, password, now: NOW });
  expect(await findPendingSession(pool, stolen.id, NOW)).not.toBeNull();
  await turnOffSecondFactor(pool, own, password);
  expect(await findSession(pool, mine.id, NOW)).not.toBeNull();
  expect(await findSession(pool, stolen.id, NOW)).toBeNull();
});
