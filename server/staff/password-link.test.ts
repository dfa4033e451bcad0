import { afterAll, beforeAll, expect, it } from 'vitest';
import { findReset } from '../auth/password-reset.ts';
import { inTransaction } from '../db/pool.ts';
import { createTestDatabase, type TestDatabase } from '../testing/database/database.ts';
import { findOrCreateUser } from './members.ts';
import { inviteToSetPassword } from './password-link.ts';

const NOW = new Date('2026-11-21T12:00:00.000Z');
const ACTOR = { type: 'operator', id: null, label: 'test' } as const;
let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const invite = (email: string) =>
  inTransaction(database.pool, async (db) => {
    const { id } = await findOrCreateUser(db, { email, now: NOW });
    return inviteToSetPassword(db, { user: { id, email }, actor: ACTOR, now: NOW });
  });
const opens = async (link: Awaited<ReturnType<typeof invite>>) =>
  (await findReset(database.pool, link?.token ?? '', NOW)) !== null;

it('a new link ends the one before, which may be in wrong hands, and nobody else’s', async () => {
  const first = await invite('kim@example.com');
  const others = await invite('lee@example.com');
  expect(await opens(first)).toBe(true);
  const second = await invite('kim@example.com');
  expect([await opens(first), await opens(second), await opens(others)]).toEqual([
    false,
    true,
    true,
  ]);
});
