import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../testing/database/database.ts';
import { listSamples, takeSample } from './samples.ts';

const MINUTE_MS = 60_000;
const WEEK_MS = 7 * 24 * 60 * MINUTE_MS;
const START_MS = Date.parse('2026-11-21T12:00:00.000Z');

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

it('a sample is kept for a week', async () => {
  const { pool } = database;
  const keptAfter = async (ms: number) => {
    await takeSample(pool, new Date(START_MS + ms));
    return (await listSamples(pool, new Date(0))).map(({ atMs }) => atMs - START_MS);
  };
  expect(await keptAfter(0)).toEqual([0]);
  expect(await keptAfter(WEEK_MS)).toEqual([0, WEEK_MS]);
  expect(await keptAfter(WEEK_MS + MINUTE_MS)).toEqual([WEEK_MS, WEEK_MS + MINUTE_MS]);
});
