import type pg from 'pg';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { createMerchant } from '../merchants/mutations.ts';
import { createTestDatabase, type TestDatabase } from '../testing/database/database.ts';
import { withOwnDataDir } from '../testing/settings.ts';
import { requestReset } from './password-reset.ts';
import { setPassword } from './signed-out.ts';

const CHOSEN = 'correct horse battery';

const process = vi.hoisted(() => ({ pool: null as unknown }));
vi.mock('../db/pool.ts', async (original) => ({
  ...(await original<typeof import('../db/pool.ts')>()),
  getPool: () => process.pool,
}));

// The folder for e-mailed notices.
withOwnDataDir();

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

/** A pool whose database fails once a transaction has begun, except inside it. */
function leaving(pool: pg.Pool) {
  let isAway = false;
  const connect = () => {
    isAway = true;
    return pool.connect();
  };
  const query = (...given: Parameters<pg.Pool['query']>) =>
    isAway ? Promise.reject(new Error('away')) : pool.query(...given);
  return { connect, query };
}

it('a password that is set is told as set, though the database is away a moment later', async () => {
  const { pool } = database;
  const now = new Date();
  const { owner } = await createMerchant(pool, {
    name: 'Shop',
    ownerEmail: 'owner@example.com',
    actor: { type: 'operator', id: null, label: 'test' },
    now,
  });
  const asked = await requestReset(pool, { email: owner.email, addressKey: 'test', now });
  if (asked.outcome !== 'accepted' || !asked.link) throw new Error('no e-mail');
  const { token } = asked.link;
  process.pool = leaving(pool);
  const given: string[] = [];
  const visit = { cookies: {}, address: '192.0.2.1', requestId: 'req_1' };
  const outcome = setPassword({ token, password: CHOSEN }, visit, (marks) => given.push(marks));
  await expect(outcome).resolves.toBe('set');
  expect(given).toHaveLength(1);
});
