import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { SHOWN_MERCHANT_HEADER } from '#app/dashboard/_shell/shown-merchant.ts';
import { createTestDatabase, type TestDatabase } from '#server/testing/database/database.ts';
import { createStaffedShop, newSession, type StaffedShop } from '#server/testing/staff.ts';
import { POST } from './route.ts';

const PROCEDURE = 'developers.createToken';
const BODY = '{"json":{"name":"till","expiresInDays":null}}';

let database: TestDatabase;
let shop: StaffedShop;
let sessionId = '';
let serial = 0;

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
beforeEach(async () => {
  const now = new Date();
  shop = await createStaffedShop(database.pool, now, `owner-${++serial}@example.com`);
  sessionId = (await newSession(database.pool, shop.owner.userId, now)).id;
});

/** Sends a call but for its end, which follows when what happens meanwhile is over. */
async function call(meanwhile: () => Promise<unknown>): Promise<Response> {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const sent = {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'content-length': String(BODY.length),
      'sec-fetch-site': 'same-origin',
      [SHOWN_MERCHANT_HEADER]: shop.merchantId,
    },
    body: readable,
    duplex: 'half',
  };
  const request = new Request(`http://localhost:3000/api/trpc/production/${PROCEDURE}`, sent);
  const params = Promise.resolve({ environment: 'production', procedure: PROCEDURE });
  const answer = POST(request, { params });
  const writer = writable.getWriter();
  await writer.write(Buffer.from(BODY.slice(0, -1)));
  // Long enough for whoever would look up the session first.
  await new Promise((resolve) => setTimeout(resolve, 300));
  await meanwhile();
  await writer.write(Buffer.from(BODY.slice(-1)));
  await writer.close();
  return answer;
}

async function tokens(): Promise<number> {
  const text = `SELECT id FROM api_tokens WHERE merchant_id = $1 AND environment = 'production'`;
  return (await database.pool.query(text, [shop.merchantId])).rows.length;
}

const change = (text: string) => () => database.pool.query(text, [shop.owner.userId]);

test.each([
  ['is taken off the team', 412, 'DELETE FROM memberships WHERE user_id = $1'],
  ['loses the role', 403, `UPDATE memberships SET role = 'viewer' WHERE user_id = $1`],
  ['has the session ended', 401, 'DELETE FROM sessions WHERE user_id = $1'],
  ['is disabled', 401, 'UPDATE users SET disabled_at = now() WHERE id = $1'],
])('who %s while the body of a call is on its way makes no token: %i', async (_, status, text) => {
  const before = await tokens();
  expect((await call(change(text))).status).toBe(status);
  expect(await tokens()).toBe(before);
});

test('a body that comes slowly is taken', async () => {
  const before = await tokens();
  const answer = await call(async () => undefined);
  expect(answer.status).toBe(200);
  expect(await tokens()).toBe(before + 1);
});
