import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { log } from '#server/observability/log.ts';
import { createTestDatabase, type TestDatabase } from '#server/testing/database/database.ts';
import { createStaffedShop, newSession } from '#server/testing/staff.ts';
import { operatorSession } from './api.ts';

let database: TestDatabase;
let sessionId = '';

vi.mock('next/headers', () => ({
  cookies: async () => ({ getAll: () => [] }),
  headers: async () => new Headers({ 'x-request-id': 'req_7' }),
}));
vi.mock(import('#server/auth/next-auth.ts'), async (original) => ({
  ...(await original()),
  sessionIdOf: async () => sessionId,
}));
vi.mock(import('#server/db/pool.ts'), async (original) => ({
  ...(await original()),
  getPool: () => database.pool,
}));

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

it('for who is no operator the pages do not exist, and the log says who asked for them', async () => {
  const now = new Date();
  const shop = await createStaffedShop(database.pool, now);
  sessionId = (await newSession(database.pool, shop.owner.userId, now)).id;
  const lines: unknown[] = [];
  vi.spyOn(log(), 'warn').mockImplementation((line: unknown) => void lines.push(line));
  await expect(operatorSession()).rejects.toMatchObject({
    digest: 'NEXT_HTTP_ERROR_FALLBACK;404',
  });
  expect(lines).toEqual([
    {
      what: 'permission',
      outcome: 'refused',
      account: expect.stringMatching(/^[\w-]{16}$/),
      address: 'unknown',
      requestId: 'req_7',
      page: 'operator',
    },
  ]);
});
