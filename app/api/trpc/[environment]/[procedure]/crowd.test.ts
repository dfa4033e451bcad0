import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { SHOWN_MERCHANT_HEADER } from '#app/dashboard/_shell/shown-merchant.ts';
import { createTestDatabase, type TestDatabase } from '#server/testing/database/database.ts';
import {
  callerOf,
  createStaffedShop,
  newSession,
  type StaffedShop,
} from '#server/testing/staff.ts';
import { GET } from './route.ts';

const NOW = new Date();
let database: TestDatabase;
let shop: StaffedShop;
let sessionId = '';

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
  shop = await createStaffedShop(database.pool, NOW);
  sessionId = (await newSession(database.pool, shop.owner.userId, NOW)).id;
});
afterAll(() => database.drop());

/** Sends the request that a page of the shop sends. */
function ask(procedure: string, input: object = {}): Promise<Response> {
  const query = encodeURIComponent(JSON.stringify({ json: input }));
  const request = new Request(
    `http://localhost:3000/api/trpc/sandbox/${procedure}?input=${query}`,
    {
      headers: {
        'sec-fetch-site': 'same-origin',
        cookie: 'locale=ru',
        [SHOWN_MERCHANT_HEADER]: shop.merchantId,
      },
    },
  );
  return GET(request, { params: Promise.resolve({ environment: 'sandbox', procedure }) });
}

const told = async (answer: Response) =>
  ((await answer.json()) as { error: { json: { message: string; data: { code: string } } } }).error
    .json;

test('8 calls of a session are at work, 32 wait, and what is beyond is refused; others pass', async () => {
  const holder = await database.pool.connect();
  await holder.query('BEGIN; LOCK TABLE invoices IN ACCESS EXCLUSIVE MODE');
  const answers = Array.from({ length: 40 }, () => ask('invoices.list', { limit: 1 }));
  const refused = await ask('invoices.list', { limit: 1 });
  expect(refused.status).toBe(429);
  expect(refused.headers.get('retry-after')).toBe('1');
  expect(await told(refused)).toMatchObject({
    message: 'Слишком много запросов. Подождите немного и попробуйте снова.',
    data: { code: 'TOO_MANY_REQUESTS' },
  });
  const own = sessionId;
  sessionId = (await newSession(database.pool, shop.owner.userId, NOW)).id;
  expect((await ask('account.sessions')).status).toBe(200);
  sessionId = own;
  await holder.query('ROLLBACK');
  holder.release();
  for (const answer of answers) expect((await answer).status).toBe(200);
  expect((await ask('invoices.list', { limit: 1 })).status).toBe(200);
});

test.each(['invoices.list', 'audit.list'])(
  '%s has 200 rows at most for a browser',
  async (list) => {
    expect((await ask(list, { limit: 200 })).status).toBe(200);
    const answer = await ask(list, { limit: 201 });
    expect(answer.status).toBe(400);
    expect(await told(answer)).toMatchObject({ message: 'Неверно заполнено: limit.' });
  },
);

test('503, and no fault of ours, where others keep all connections for too long', async () => {
  const session = await newSession(database.pool, shop.owner.userId, NOW);
  const { pool } = database;
  const { max, connectionTimeoutMillis } = pool.options;
  const holders = await Promise.all(Array.from({ length: max }, () => pool.connect()));
  pool.options.connectionTimeoutMillis = 1;
  const answer = await ask('account.sessions');
  const call = callerOf(pool, session, { now: NOW }).account.sessions();
  await expect(call).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  pool.options.connectionTimeoutMillis = connectionTimeoutMillis;
  for (const holder of holders) holder.release();
  expect(answer.status).toBe(503);
  expect(await told(answer)).toMatchObject({
    message: 'Шлюз перегружен. Попробуйте ещё раз.',
    data: { code: 'SERVICE_UNAVAILABLE' },
  });
});
