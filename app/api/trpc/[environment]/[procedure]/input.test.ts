import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { dashboardClient } from '#app/dashboard/_shared/client.ts';
import { SHOWN_MERCHANT_HEADER } from '#app/dashboard/_shell/shown-merchant.ts';
import { createTestDatabase, type TestDatabase } from '#server/testing/database/database.ts';
import { createTestInvoice } from '#server/testing/invoices.ts';
import { createStaffedShop, newSession, type StaffedShop } from '#server/testing/staff.ts';
import { GET, POST } from './route.ts';

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
  const now = new Date();
  database = await createTestDatabase();
  shop = await createStaffedShop(database.pool, now);
  sessionId = (await newSession(database.pool, shop.owner.userId, now)).id;
});
afterAll(() => {
  vi.unstubAllGlobals();
  return database.drop();
});

/** Hands a request to the procedure in its address. */
function answerTo(request: Request): Promise<Response> {
  const procedure = new URL(request.url).pathname.split('/').at(-1) ?? '';
  const params = Promise.resolve({ environment: 'sandbox', procedure });
  return (request.method === 'GET' ? GET : POST)(request, { params });
}

/** Posts a body as a page of the shop does. */
function post(procedure: string, body: string): Promise<Response> {
  const headers = {
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(body)),
    'sec-fetch-site': 'same-origin',
    [SHOWN_MERCHANT_HEADER]: shop.merchantId,
  };
  const address = `http://localhost:3000/api/trpc/sandbox/${procedure}`;
  return answerTo(new Request(address, { method: 'POST', headers, body }));
}

test('takes what a page of the version before sends', async () => {
  const body = '{"json":null,"meta":{"values":["undefined"],"v":1}}';
  expect((await post('account.endOtherSessions', body)).status).toBe(200);
});

test('answers our own pages’ client, in big integers too', async () => {
  const ask = (path: string, init: RequestInit) => {
    const headers = new Headers(init.headers);
    headers.set('sec-fetch-site', 'same-origin');
    headers.set('content-length', String(init.body?.toString().length ?? 0));
    headers.set(SHOWN_MERCHANT_HEADER, shop.merchantId);
    return answerTo(new Request(`http://localhost:3000${path}`, { ...init, headers }));
  };
  vi.stubGlobal('document', { querySelector: () => null });
  vi.stubGlobal('fetch', ask);
  const api = dashboardClient('sandbox');
  const id = await createTestInvoice(database.pool, shop.sandboxTenant, {
    now: new Date(),
  });
  const { invoices } = await api.invoices.list.query({ limit: 6 });
  expect(invoices).toMatchObject([{ id, amountMinor: 1500n }]);
  await expect(api.account.endOtherSessions.mutate()).resolves.toEqual({ ended: 0 });
});
