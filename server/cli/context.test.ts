import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../testing/database.ts';
import { withDatabase } from './context.ts';

const HOUR_MS = 3_600_000;
const MAX_APART_MS = 60_000;
let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
  vi.stubEnv('DATABASE_URL', database.url);
});

afterEach(() => {
  vi.useRealTimers();
});

afterAll(async () => {
  vi.unstubAllEnvs();
  await database.drop();
});

test.each([
  ['ahead', HOUR_MS],
  ['behind', -HOUR_MS],
])('on a machine whose clock is %s a command goes by the database’s', async (_how, offsetMs) => {
  const truthMs = Date.now();
  vi.useFakeTimers({ toFake: ['Date'], now: truthMs + offsetMs });
  let nowMs = Number.NaN;
  await withDatabase(async ({ now }) => {
    nowMs = now.getTime();
  });
  expect(Math.abs(nowMs - truthMs)).toBeLessThan(MAX_APART_MS);
});
