import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { migrationNames } from '../db/migrate.ts';
import { log } from '../observability/log.ts';
import { createTestDatabase, type TestDatabase } from '../testing/database/database.ts';
import { createMigrationsLook, startHeartbeats } from './heartbeats.ts';

let database: TestDatabase;
let told: string[];

beforeEach(async () => {
  database = await createTestDatabase();
  told = [];
  for (const level of ['error', 'warn'] as const) {
    vi.spyOn(log(), level).mockImplementation((line: unknown) => void told.push(String(line)));
  }
});
afterEach(async () => {
  vi.restoreAllMocks();
  await database.drop();
});

/** Resolves when the first heartbeat of a process has ended. */
async function writeHeartbeat(): Promise<void> {
  await startHeartbeats(database.pool, { kind: 'web' }).stop();
}

it('a process on a database without tables says what to run', async () => {
  await database.pool.query('DROP SCHEMA public CASCADE; CREATE SCHEMA public');
  await writeHeartbeat();
  const [first, ...others] = await migrationNames();
  expect(told).toEqual([
    `the database lacks the migration ${first} and ${others.length} more. Run: npm run migrate`,
  ]);
});

it('a migration that was forgotten is named once, and again when that changes', async () => {
  const { pool } = database;
  const [before = '', last = ''] = (await migrationNames()).slice(-2);
  const look = createMigrationsLook(pool);
  const forget = (name: string) =>
    pool.query('UPDATE _prisma_migrations SET rolled_back_at = now() WHERE migration_name = $1', [
      name,
    ]);
  await look();
  expect(told).toEqual([]);
  await forget(last);
  await look();
  await look();
  await forget(before);
  await look();
  await pool.query('UPDATE _prisma_migrations SET rolled_back_at = NULL');
  await look();
  await look();
  expect(told).toEqual([
    `the database lacks the migration ${last}. Run: npm run migrate`,
    `the database lacks the migration ${before} and 1 more. Run: npm run migrate`,
    'the database has every migration now',
  ]);
});

it('a process beside a newer database says nothing of it', async () => {
  await database.pool.query(
    `INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at)
     VALUES ('newer', '', '29991231235959_newer', now())`,
  );
  await writeHeartbeat();
  expect(told).toEqual([]);
});
