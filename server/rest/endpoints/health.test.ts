import { createServer } from 'node:net';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { openPool } from '../../db/pool.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/database/database.ts';
import { checkHealth } from './health.ts';

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());
afterEach(() => {
  vi.useRealTimers();
});

test('ok when the database answers and has every migration', async () => {
  expect(await checkHealth(database.pool)).toEqual({ status: 'ok' });
});

test('everybody who asks at once or right after is answered by one look, and later by another', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const pool = openPool(database.url, 1);
  const query = vi.spyOn(pool, 'query');
  await checkHealth(pool);
  const ofOneLook = query.mock.calls.length;
  vi.runOnlyPendingTimers();
  const answers = await Promise.all(Array.from({ length: 3_000 }, () => checkHealth(pool)));
  answers.push(await checkHealth(pool));
  expect(query).toHaveBeenCalledTimes(2 * ofOneLook);
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set(['ok']));
  vi.runOnlyPendingTimers();
  await checkHealth(pool);
  expect(query).toHaveBeenCalledTimes(3 * ofOneLook);
  vi.useRealTimers();
  await pool.end();
});

test('unavailable, with the names, when migrations are missing', async () => {
  const behind = await createTestDatabase();
  await behind.pool.query(
    `DELETE FROM _prisma_migrations WHERE migration_name = '20261121000000_initial'`,
  );
  expect(await checkHealth(behind.pool)).toEqual({
    status: 'unavailable',
    reason: 'migrations are missing: 20261121000000_initial',
  });
  await behind.drop();
});

test('unavailable when the database takes no writes', async () => {
  const standby = openPool(`${database.url}&options=-c%20default_transaction_read_only%3Don`, 1);
  expect(await checkHealth(standby)).toEqual({
    status: 'unavailable',
    reason: 'the database is read only',
  });
  await standby.end();
});

test.each([
  ['ahead of', 3_600_000],
  ['behind', -3_600_000],
])('unavailable while the clock is %s the database’s', async (word, offsetMs) => {
  const now = Date.now.bind(Date);
  const clock = vi.spyOn(Date, 'now').mockImplementation(() => now() + offsetMs);
  const pool = openPool(database.url, 1);
  const health = await checkHealth(pool);
  await pool.end();
  clock.mockRestore();
  expect(health).toMatchObject({
    status: 'unavailable',
    reason: expect.stringMatching(`^the clock is \\d+ s ${word} the database’s$`),
  });
  expect(await checkHealth(database.pool)).toEqual({ status: 'ok' });
});

test('unavailable, without a host or a password, when nobody answers at the address', async () => {
  const pool = openPool('postgresql://gateway:secret@127.0.0.1:1/none', 1);
  expect(await checkHealth(pool)).toEqual({
    status: 'unavailable',
    reason: 'the database cannot be reached',
  });
  await pool.end();
});

test('unavailable within two seconds when the database is silent', async () => {
  const silent = createServer((socket) => socket.resume().on('error', () => undefined));
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  const address = silent.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  const pool = openPool(`postgresql://gateway@127.0.0.1:${port}/none`, 1);
  const begun = performance.now();
  expect(await checkHealth(pool)).toEqual({
    status: 'unavailable',
    reason: 'the database did not answer within 2 s',
  });
  expect(performance.now() - begun).toBeLessThan(10_000);
  silent.close();
  pool.end().catch(() => undefined);
});
