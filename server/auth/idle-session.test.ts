import { afterAll, beforeAll, expect, it } from 'vitest';
import { addOperator } from '../operating/operators.ts';
import { findOrCreateUser } from '../staff/members.ts';
import { createTestDatabase, type TestDatabase } from '../testing/database/database.ts';
import { openMerchant } from '../testing/merchants.ts';
import { newSession, useSession } from '../testing/staff.ts';
import { signOut } from './end-sessions.ts';
import { findSession, hasEndedUnused, listSessions } from './sessions.ts';

const NOW = new Date('2026-11-21T12:00:00.000Z');
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const COMMAND = { type: 'operator', id: null, label: 'test' } as const;

let database: TestDatabase;
let serial = 0;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const at = (ms: number) => new Date(NOW.getTime() + ms);

async function newStaff(): Promise<string> {
  const ownerEmail = `owner-${++serial}@example.com`;
  const made = { name: 'Shop', ownerEmail, actor: COMMAND, now: NOW };
  return (await openMerchant(database.pool, made)).owner.userId;
}

async function newOperator(): Promise<string> {
  const email = `operator-${++serial}@example.com`;
  await addOperator(database.pool, { email, actor: COMMAND, now: NOW });
  return (await findOrCreateUser(database.pool, { email, now: NOW })).id;
}

const KINDS = [
  ['staff', 12 * HOUR_MS, newStaff],
  ['an operator', 30 * MINUTE_MS, newOperator],
] as const;

it.each(KINDS)(
  'a session of %s that nobody uses ends after %i ms',
  async (_, idleMs, newPerson) => {
    const { pool } = database;
    const { id } = await newSession(pool, await newPerson(), NOW);
    const ended = at(idleMs);
    expect(await findSession(pool, id, ended)).toBeNull();
    expect(await hasEndedUnused(pool, id, ended)).toBe(true);
    const almost = at(idleMs - 1);
    expect(await hasEndedUnused(pool, id, almost)).toBe(false);
    expect(await findSession(pool, id, almost)).not.toBeNull();
  },
);

it('one of an operator that is used runs for seven days', async () => {
  const { pool } = database;
  const { id } = await newSession(pool, await newOperator(), NOW);
  const week = at(7 * 24 * HOUR_MS);
  await useSession(pool, id, NOW, week);
  expect(await findSession(pool, id, new Date(week.getTime() - 1))).not.toBeNull();
  expect(await findSession(pool, id, week)).toBeNull();
  expect(await hasEndedUnused(pool, id, week)).toBe(false);
});

it('that it was used is written once a minute, not at each page', async () => {
  const { pool } = database;
  const { id } = await newSession(pool, await newStaff(), NOW);
  const seenAfter = async (ms: number) => {
    await findSession(pool, id, at(ms));
    const { rows } = await pool.query('SELECT last_seen_at AS at FROM sessions WHERE id = $1', [
      id,
    ]);
    return rows[0].at.getTime() - NOW.getTime();
  };
  expect(await seenAfter(59_000)).toBe(0);
  expect(await seenAfter(61_000)).toBe(61_000);
});

it('whoever becomes an operator is out after the shorter time at once', async () => {
  const { pool } = database;
  const userId = await newStaff();
  const { id } = await newSession(pool, userId, NOW);
  await pool.query('UPDATE users SET is_operator = true WHERE id = $1', [userId]);
  expect(await findSession(pool, id, at(30 * MINUTE_MS))).toBeNull();
});

it('one that ended so is in nobody’s list, and no sign-out is told of it', async () => {
  const { pool } = database;
  const userId = await newStaff();
  const unused = await newSession(pool, userId, NOW);
  const now = at(12 * HOUR_MS);
  const session = await newSession(pool, userId, now);
  expect((await listSessions(pool, session, now)).map(({ id }) => id)).toEqual([session.id]);
  await signOut(pool, { sessionId: unused.id, address: null, now });
  const { rows } = await pool.query(
    `SELECT FROM audit_log WHERE action = 'session.sign_out' AND target_id = $1`,
    [userId],
  );
  expect(rows).toEqual([]);
});
