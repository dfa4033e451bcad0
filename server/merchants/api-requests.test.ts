import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../testing/database/database.ts';
import { cleanUpApiRequests } from './api-requests.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

it('what a clock far ahead has written keeps nothing from being deleted', async () => {
  const { pool } = database;
  const now = new Date();
  const write = (at: Date, n: number) =>
    pool.query(
      `INSERT INTO api_requests
         (at, merchant_id, environment, token_id, request_id, method, path, status, duration_ms)
       SELECT $1, 'mer_1', 'sandbox', 'tok_1', 'r', 'GET', '/', 200, 1
       FROM generate_series(1, $2::int)`,
      [at.toISOString(), n],
    );
  await write(new Date(now.getTime() + 365 * DAY_MS), 10);
  await write(new Date(now.getTime() - 30 * DAY_MS), 10);
  await write(now, 1);
  let gone = 0;
  for (let run = 0; run < 10; run++) gone += await cleanUpApiRequests(pool, { now, limit: 10 });
  expect(gone).toBe(20);
});
