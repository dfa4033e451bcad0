import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { readClockOffset } from '../db/clock-offset.ts';
import { coalescedInvoices } from '../invoices/merchant-invoices.ts';
import { timeOfId } from '../lib/ids.ts';
import { grantTenant } from '../merchants/tenant.ts';
import { createToken } from '../merchants/tokens.ts';
import { createLogger } from '../observability/log.ts';
import { createTestDatabase, type TestDatabase } from '../testing/database/database.ts';
import { createTestInvoice } from '../testing/invoices.ts';
import { createBody, createRestMerchant, type RestMerchant } from '../testing/rest.ts';
import { setClock, wall } from '../testing/wall-clock.ts';
import { RestHandler } from './handler.ts';

const HOUR_MS = 3_600_000;
const LIMITS = { rateLimitPerSecond: 200, rateLimitBurst: 1000, failedAuthPerMinute: 300 };

let database: TestDatabase;
let merchant: RestMerchant;
let handler: RestHandler;

beforeAll(async () => {
  database = await createTestDatabase();
  merchant = await createRestMerchant(database.pool);
  const context = {
    db: database.pool,
    invoices: coalescedInvoices(database.pool),
    publicUrl: 'http://localhost:1',
    clock: () => new Date(Date.now()),
    log: createLogger('silent'),
  };
  handler = new RestHandler(context, LIMITS, database.url);
  await handler.ready;
});
afterEach(() => vi.restoreAllMocks());
afterAll(async () => {
  await handler.close();
  await database.drop();
});

async function post(path: string, body: object, token?: string) {
  const headers: { [name: string]: string } = {
    ...merchant.sandbox,
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
    'content-type': 'application/json',
  };
  const answer = await handler
    .handle({
      method: 'POST',
      path: `/api/sandbox/${path}`,
      query: new URLSearchParams(),
      header: (name) => headers[name] ?? null,
      readBody: async () => Buffer.from(JSON.stringify(body)),
      remoteAddress: '192.0.2.1',
    })
    .promise();
  return { status: answer.status, data: JSON.parse(String(answer.body)).data };
}

async function create(): Promise<{ id: string; createdAtMs: number; row: unknown }> {
  const { data } = await post('invoice/create', createBody({ end_date: wall() + HOUR_MS }));
  const { rows } = await database.pool.query<{ ms: number }>(
    'SELECT extract(epoch FROM created_at)::float8 * 1000 AS ms FROM invoices WHERE id = $1',
    [data.invoice_id],
  );
  return { id: data.invoice_id, createdAtMs: data.created_at, row: rows[0]?.ms };
}

test.each([
  ['behind', -5 * HOUR_MS],
  ['ahead', HOUR_MS / 2],
])(
  'where the clock is %s, an invoice tells the database’s time in id, answer and row',
  async (_, aheadMs) => {
    setClock(aheadMs);
    await readClockOffset(database.pool);
    const { id, createdAtMs, row } = await create();
    expect(row).toBe(createdAtMs);
    for (const ms of [timeOfId(id), createdAtMs]) {
      expect(Math.abs(ms - wall())).toBeLessThan(HOUR_MS / 4);
    }
  },
);

test.each([
  ['behind', -HOUR_MS],
  ['ahead', 2 * HOUR_MS],
])(
  'where the clock is %s, a cancel goes by the database’s time, and says when it was',
  async (_, aheadMs) => {
    const { id } = await create();
    setClock(aheadMs);
    await readClockOffset(database.pool);
    const { status, data } = await post('invoice/cancel', { invoice_id: id });
    expect([status, data.status]).toEqual([200, 4]);
    const { rows } = await database.pool.query<{ at: Date }>(
      'SELECT status_changed_at AS at FROM invoices WHERE id = $1',
      [id],
    );
    expect(Math.abs(Number(rows[0]?.at) - wall())).toBeLessThan(HOUR_MS / 4);
  },
);

test('where the clock is behind, nothing is cancelled that has ended', async () => {
  const tenant = grantTenant(merchant.id, 'sandbox');
  const id = await createTestInvoice(database.pool, tenant, {
    now: new Date(wall() - HOUR_MS),
    endDateMs: wall() - 1_000,
  });
  setClock(-HOUR_MS);
  await readClockOffset(database.pool);
  expect(await post('invoice/cancel', { invoice_id: id })).toMatchObject({ status: 503 });
  const { rows } = await database.pool.query('SELECT status FROM invoices WHERE id = $1', [id]);
  expect(rows).toEqual([{ status: 'PENDING' }]);
});

test.each([
  ['behind, a token that has ended is none', -2 * HOUR_MS, -HOUR_MS, 401],
  ['ahead, a token works until its end', 2 * HOUR_MS, HOUR_MS, 404],
])('where the clock is %s', async (_, aheadMs, endsInMs, status) => {
  const now = new Date(wall());
  const expiresAt = new Date(wall() + endsInMs);
  const place = { merchantId: merchant.id, environment: 'sandbox', name: 'ends' } as const;
  const { token } = await createToken(database.pool, { ...place, expiresAt, now });
  setClock(aheadMs);
  await readClockOffset(database.pool);
  expect(await post('invoice/cancel', { invoice_id: 'inv_none' }, token)).toMatchObject({ status });
});
