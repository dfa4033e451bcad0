import { afterAll, beforeAll, expect, test } from 'vitest';
import { coalescedInvoices } from '../invoices/merchant-invoices.ts';
import { createToken, listTokens } from '../merchants/tokens.ts';
import { SCOPES } from '../merchants/types.ts';
import { createLogger } from '../observability/log.ts';
import { createTestDatabase, type TestDatabase } from '../testing/database/database.ts';
import { createMerchantFixture } from '../testing/factories.ts';
import { RestHandler } from './handler.ts';
import { ENDPOINTS } from './routes.ts';

const NOW = new Date('2026-11-21T12:00:00.000Z');
// Enough for each endpoint from two addresses, and no more.
const LIMITS = {
  rateLimitPerSecond: 1,
  rateLimitBurst: 2 * ENDPOINTS.size,
  failedAuthPerMinute: 300,
};

let database: TestDatabase;
let merchantId: string;
beforeAll(async () => {
  database = await createTestDatabase();
  merchantId = (await createMerchantFixture(database.pool)).id;
});
afterAll(() => database.drop());

function openHandler(): RestHandler {
  const context = {
    db: database.pool,
    invoices: coalescedInvoices(database.pool),
    publicUrl: 'http://localhost:1',
    clock: () => NOW,
    log: createLogger('silent'),
  };
  return new RestHandler(context, LIMITS, database.url);
}

async function makeToken() {
  const networks = ['203.0.113.7', '198.51.100.0/24', '2001:db8:1::/48'];
  const wanted = { merchantId, environment: 'sandbox', name: 'bound' } as const;
  return await createToken(database.pool, { ...wanted, scopes: SCOPES, networks, now: NOW });
}

/** Sends an empty request, which lacks what every endpoint asks for. */
async function ask(
  handler: RestHandler,
  path: string,
  { token, address, merchant = merchantId }: { token: string; address: string; merchant?: string },
) {
  const headers = new Map([
    ['authorization', `Bearer ${token}`],
    ['x-merchant', merchant],
    ['content-type', 'application/json'],
  ]);
  const { status, body } = await handler.handle({
    method: ENDPOINTS.get(path)?.method ?? 'GET',
    path: `/api/sandbox${path}`,
    query: new URLSearchParams('limit=0'),
    header: (name) => headers.get(name) ?? null,
    readBody: async () => Buffer.from('{}'),
    remoteAddress: address,
  });
  return { status, error: JSON.parse(String(body)).error };
}

test('a token works from its networks, in whichever form IPv4 comes, and from nowhere else', async () => {
  const handler = openHandler();
  const { token } = await makeToken();
  for (const [address, status] of [
    ['203.0.113.7', 422],
    ['203.0.113.8', 403],
    ['::ffff:203.0.113.7', 422],
    ['198.51.100.255', 422],
    ['::ffff:198.51.101.0', 403],
    ['2001:db8:1:ffff::1', 422],
    ['2001:db8:2::1', 403],
    ['unknown', 403],
  ] as const) {
    const answer = await ask(handler, '/invoice/status', { token, address });
    expect([address, answer.status]).toEqual([address, status]);
  }
  await handler.close();
});

test('403 from elsewhere at every endpoint, after 401 and 429 and before 422; it is logged, and no use', async () => {
  const handler = openHandler();
  const { id, token } = await makeToken();
  const [inside, outside] = ['203.0.113.7', '192.0.2.1'];
  const forbidden = { status: 403, error: { message: 'Forbidden', error_code: 403 } };
  for (const path of ENDPOINTS.keys()) {
    expect([path, await ask(handler, path, { token, address: outside })]).toEqual([
      path,
      forbidden,
    ]);
  }
  await handler.close();
  const asked = { merchantId, environment: 'sandbox', now: NOW } as const;
  const { tokens } = await listTokens(database.pool, asked);
  expect(tokens.find((each) => each.id === id)).toMatchObject({ lastUsedAtMs: null });
  const { rows } = await database.pool.query(
    'SELECT DISTINCT status, message FROM api_requests WHERE token_id = $1',
    [id],
  );
  expect(rows).toEqual([{ status: 403, message: 'Forbidden' }]);

  const other = openHandler();
  for (const path of [...ENDPOINTS.keys(), ...ENDPOINTS.keys()]) {
    const { status } = await ask(other, path, { token, address: inside });
    expect([path, status]).toEqual([path, 422]);
  }
  const statusOf = async (merchant?: string) =>
    (await ask(other, '/invoice/list', { token, address: outside, merchant })).status;
  expect([await statusOf(), await statusOf('mer_x')]).toEqual([429, 401]);
  await other.close();
});
