import { afterAll, beforeAll, expect, it } from 'vitest';
import { countTry } from '../auth/throttle.ts';
import { createTestDatabase, type TestDatabase } from '../testing/database.ts';
import { JOBS } from './registry.ts';

const NOW = new Date('2026-03-01T12:00:00Z');
let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

it('counts are deleted by a job once their windows are over, though nobody signs in', async () => {
  const db = database.pool;
  for (const key of ['a', 'b', 'c']) await countTry(db, key, { max: 5, windowMs: 1_000 }, NOW);
  await countTry(db, 'later', { max: 5, windowMs: 2_000 }, NOW);
  const job = JOBS.find(({ id }) => id === 'cleanUpThrottles');
  const now = new Date(NOW.getTime() + 1_000);
  const run = async (limit: number) => await job?.run({ db, now, clock: () => now, limit });
  expect([await run(2), await run(2)]).toEqual([{ count: 2 }, { count: 1 }]);
  expect((await db.query('SELECT key FROM throttles')).rows).toEqual([{ key: 'later' }]);
});
