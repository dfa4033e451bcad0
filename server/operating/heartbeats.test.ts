import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../testing/database/database.ts';
import { duringTransaction } from '../testing/database/during-transaction.ts';
import { startHeartbeats } from './heartbeats.ts';

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

it('the clock is held against the database’s although nobody can write a heartbeat', async () => {
  const { pool } = database;
  const statement = 'LOCK TABLE process_beats, _prisma_migrations IN ACCESS EXCLUSIVE MODE';
  const heartbeats = await duringTransaction(pool, { statement }, async () => {
    const asked = vi.spyOn(pool, 'query');
    const begun = startHeartbeats(pool, { kind: 'web' });
    const questions = () => asked.mock.calls.map(([text]) => text as unknown);
    await expect.poll(questions).toContain('SELECT clock_timestamp() AS at');
    asked.mockRestore();
    return begun;
  });
  await heartbeats.stop();
});
