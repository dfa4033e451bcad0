import type pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../testing/database/database.ts';
import { openMerchant } from '../testing/merchants.ts';
import { codeAt, turnOnSecondFactor } from '../testing/second-factor.ts';
import { newSession } from '../testing/staff.ts';
import { beginSecondFactor, confirmSecondFactor } from './second-factor/second-factor.ts';
import { findPendingSession, passSecondStep } from './second-factor/second-step.ts';
import { createSession } from './sessions.ts';

const NOW = new Date('2026-11-21T12:00:00.000Z');
const LATER = new Date(NOW.getTime() + 5 * 60_000);
const COMMAND = { type: 'operator', id: null, label: 'test' } as const;

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

async function waitingForLocks(count: number): Promise<void> {
  const waiting = async () => {
    const { rows } = await database.pool.query(
      `SELECT count(*)::int AS waiting FROM pg_stat_activity
       WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    );
    return rows[0]?.waiting;
  };
  await expect.poll(waiting).toBe(count);
}

/**
 * Starts two transactions one after the other while the rows of `held` are locked. The first waits
 * for them, and so stops between its statements; then the lock ends.
 */
async function behind<T>(
  held: { text: string; values: unknown[] },
  begin: readonly (() => Promise<T>)[],
): Promise<PromiseSettledResult<T>[]> {
  const holder: pg.PoolClient = await database.pool.connect();
  await holder.query('BEGIN');
  await holder.query(held);
  const begun: Promise<T>[] = [];
  for (const each of begin) {
    begun.push(each());
    await waitingForLocks(begun.length);
  }
  await holder.query('ROLLBACK');
  holder.release();
  return await Promise.allSettled(begun);
}

it('a second factor is exchanged while somebody signs in by a recovery code of before', async () => {
  const { pool } = database;
  const { owner } = await openMerchant(pool, {
    ...{ name: 'Shop', ownerEmail: 'owner@example.com', actor: COMMAND, now: NOW },
  });
  const session = await newSession(pool, owner.userId, NOW);
  const { password } = owner;
  const { own, recoveryCodes } = await turnOnSecondFactor(pool, { session, password, now: NOW });
  const { id } = await createSession(pool, {
    ...{ userId: owner.userId, address: null, userAgent: null, now: LATER },
  });
  const pending = await findPendingSession(pool, id, LATER);
  if (!pending) throw new Error('no code is owed');
  const { secret } = await beginSecondFactor(pool, { ...own, now: LATER }, password);
  const codes = {
    text: 'SELECT FROM recovery_codes WHERE user_id = $1 FOR UPDATE',
    values: [owner.userId],
  };
  const given = { code: recoveryCodes[0] ?? '', address: null, now: LATER };
  const results = await behind<unknown>(codes, [
    () => passSecondStep(pool, pending, given),
    () => confirmSecondFactor(pool, { ...own, now: LATER }, codeAt(secret, LATER)),
  ]);
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled']);
});
