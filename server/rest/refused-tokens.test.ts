import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { oneByOneInvoices } from '../invoices/merchant-invoices.ts';
import { createLogger, log } from '../observability/log.ts';
import { createTestDatabase, type TestDatabase } from '../testing/database/database.ts';
import { createRestMerchant, type RestMerchant } from '../testing/rest.ts';
import { RestHandler } from './handler.ts';

type Line = { [name: string]: unknown };

const ADDRESS = '192.0.2.7';
let database: TestDatabase;
let handler: RestHandler;
let merchant: RestMerchant;
let lines: Line[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
  merchant = await createRestMerchant(database.pool);
  const context = {
    db: database.pool,
    invoices: oneByOneInvoices(database.pool),
    publicUrl: 'http://localhost:1',
    clock: () => new Date(),
    log: createLogger('silent'),
  };
  const limits = { rateLimitPerSecond: 1, rateLimitBurst: 1, failedAuthPerMinute: 2 };
  handler = new RestHandler(context, limits, database.url);
  await handler.ready;
});
beforeEach(() => {
  lines = [];
  vi.spyOn(log(), 'warn').mockImplementation((line: unknown) => void lines.push(line as Line));
});
afterEach(() => vi.restoreAllMocks());
afterAll(async () => {
  await handler.close();
  await database.drop();
});

async function ask(headers: { [name: string]: string }, environment = 'sandbox') {
  const answer = await handler.handle({
    method: 'GET',
    path: `/api/${environment}/invoice/status`,
    query: new URLSearchParams('invoice_id=x'),
    header: (name) => headers[name] ?? null,
    readBody: async () => Buffer.alloc(0),
    remoteAddress: ADDRESS,
  });
  return { status: answer.status, requestId: answer.headers['x-request-id'] };
}

test('a token that is refused leaves a line under the id of its answer, and a good one none', async () => {
  expect(await ask({ ...merchant.sandbox })).toMatchObject({ status: 404 });
  // A rate limit does not count as a guess.
  expect(await ask({ ...merchant.sandbox })).toMatchObject({ status: 429 });
  expect(lines).toEqual([]);
  const elsewhere = await ask({ ...merchant.sandbox }, 'production');
  const wrong = await ask({ ...merchant.sandbox, authorization: 'Bearer wrong' });
  const more = await ask({ ...merchant.sandbox, authorization: 'Bearer worse' });
  expect([elsewhere, wrong, more].map(({ status }) => status)).toEqual([401, 401, 429]);
  const line = { what: 'token', outcome: 'refused', address: ADDRESS };
  const path = '/api/sandbox/invoice/status';
  expect(lines).toEqual([
    {
      ...line,
      path: '/api/production/invoice/status',
      requestId: elsewhere.requestId,
      tokenId: expect.stringMatching(/^tok_/),
    },
    { ...line, path, requestId: wrong.requestId },
    { ...line, outcome: 'throttled', path, requestId: more.requestId },
  ]);
  expect(JSON.stringify(lines)).not.toMatch(/wrong|worse/);
});
