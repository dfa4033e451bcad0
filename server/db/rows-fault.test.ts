import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../testing/database/database.ts';
import { isRowsFault } from './rows-fault.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase(1);
});
afterAll(() => database.drop());

const failing = (statement: string) =>
  database.pool.query(statement).then(
    () => Promise.reject(new Error('it did not fail')),
    (error: unknown) => error,
  );

it.each([
  [`INSERT INTO merchants (id, name) VALUES ('mer_a', 'A'), ('mer_a', 'A')`],
  [`SELECT 'x'::int`],
  [`DO $$ BEGIN RAISE EXCEPTION 'no'; END $$`],
])('%s may be the fault of a row', async (statement) => {
  expect(isRowsFault(await failing(statement))).toBe(true);
});

it('a statement that took too long is no row’s fault: each row would take as long again', async () => {
  await database.pool.query('SET statement_timeout = 50');
  const error = await failing('SELECT pg_sleep(5)');
  expect(error).toMatchObject({ code: '57014' });
  expect(isRowsFault(error)).toBe(false);
  await database.pool.query('RESET statement_timeout');
});

it('a connection that was lost is no row’s fault: it may have been carried out', async () => {
  expect(isRowsFault(new Error('Connection terminated unexpectedly'))).toBe(false);
  expect(isRowsFault(await failing('SELECT pg_terminate_backend(pg_backend_pid())'))).toBe(false);
});
