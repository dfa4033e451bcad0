import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Queryable } from '../db/pool.ts';
import { coalescedInvoices } from '../invoices/merchant-invoices.ts';
import {
  listApiRequests,
  type RequestFilters,
  type RequestOutcome,
} from '../merchants/api-request-list.ts';
import { cleanUpApiRequests, recordApiRequests } from '../merchants/api-requests.ts';
import { grantTenant } from '../merchants/tenant.ts';
import { createLogger } from '../observability/log.ts';
import { createTestDatabase, type TestDatabase } from '../testing/database/database.ts';
import { createBody, createRestMerchant, type RestMerchant } from '../testing/rest.ts';
import { BODY_LIMIT_BYTES } from '../wire/json-body.ts';
import { RestHandler } from './handler.ts';
import type { Exchanged } from './request-description.ts';
import { RequestJournal } from './request-journal.ts';

const LIMITS = { rateLimitPerSecond: 200, rateLimitBurst: 1000, failedAuthPerMinute: 300 };
const DAY_MS = 24 * 60 * 60 * 1000;

let database: TestDatabase;
let merchant: RestMerchant;

beforeAll(async () => {
  database = await createTestDatabase();
  merchant = await createRestMerchant(database.pool);
});
afterAll(() => database.drop());

const tenantOf = (environment: 'sandbox' | 'production', id = merchant.id) =>
  grantTenant(id, environment);

/** Picks from thirty requests, the newest first. */
const numbers = (isIn: (i: number) => boolean): string[] =>
  Array.from({ length: 30 }, (_, index) => 29 - index)
    .filter(isIn)
    .map((i) => `r${i}`);

function list(
  filters: Partial<RequestFilters> = {},
  more: { limit?: number; cursor?: string | null; scanLimit?: number; id?: string } = {},
) {
  const { id, limit = 50, cursor = null, scanLimit } = more;
  return listApiRequests(database.pool, tenantOf('sandbox', id), {
    search: null,
    outcome: null,
    endpoint: null,
    ...filters,
    limit,
    cursor,
    scanLimit,
  });
}

/** Sends through a separate handler, which writes its log when it is closed. */
async function withHandler(
  work: (
    send: (path: string, options?: Partial<Options>) => Promise<{ status: number; json: never }>,
  ) => Promise<void>,
): Promise<void> {
  const handler = new RestHandler(
    {
      db: database.pool,
      invoices: coalescedInvoices(database.pool),
      publicUrl: 'http://localhost:1',
      clock: () => new Date(),
      log: createLogger('silent'),
    },
    LIMITS,
    database.url,
  );
  await handler.ready;
  await work(async (path, options = {}) => {
    const { method = 'POST', body, query = '', id = '', headers = merchant.sandbox } = options;
    const all: Record<string, string> = {
      'content-type': 'application/json',
      'x-request-id': id,
      ...headers,
    };
    const { status, body: text } = await handler.handle({
      method,
      path: `/api/${path}`,
      query: new URLSearchParams(query),
      header: (name) => all[name] ?? null,
      readBody: async (limitBytes) => {
        const bytes = Buffer.from(body === undefined ? '' : JSON.stringify(body));
        return bytes.length > limitBytes ? null : bytes;
      },
      remoteAddress: '192.0.2.1',
    });
    return { status, json: JSON.parse(String(text)) as never };
  });
  await handler.close();
}

type Options = {
  method: string;
  body: object;
  query: string;
  id: string;
  headers: Record<string, string>;
};

describe('the log of API requests', () => {
  test('keeps what each request was about and what was wrong, and no secret', async () => {
    const body = createBody({ merchant_data: { password: 'buyer-secret' } });
    const mtid = String(body.merchant_transaction_id);
    let invoiceId = '';
    await withHandler(async (send) => {
      const made = await send('sandbox/invoice/create', { body, id: 'req-made' });
      invoiceId = (made.json as { data: { invoice_id: string } }).data.invoice_id;
      await send('sandbox/invoice/create', { body, id: 'req-again' });
      const wrong = { ...createBody(), amount: -1, positions: [{ amount: 'x' }], '\0"\ud800': 1 };
      await send('sandbox/invoice/create', { body: wrong, id: 'req-wrong' });
      const query = `invoice_id=${invoiceId}`;
      await send('sandbox/invoice/status', { method: 'GET', query, id: 'req-status' });
      await send('sandbox/invoice/cancel', { body: { invoice_id: 'inv_\0none' }, id: 'req-none' });
      const { production } = merchant;
      await send('sandbox/invoice/cancel', { body: {}, id: 'req-other', headers: production });
      const unknown = { ...merchant.sandbox, authorization: 'Bearer gw_sandbox_nobody' };
      await send('sandbox/invoice/cancel', { body: {}, id: 'req-unknown', headers: unknown });
      // Refused before the token is read: the errors page says that the list lacks these.
      const huge = { padding: 'x'.repeat(BODY_LIMIT_BYTES) };
      const refused = [
        await send('sandbox/invoice/unknown', { body: {}, id: 'req-path' }),
        await send('sandbox/invoice/create', { method: 'GET', id: 'req-method' }),
        await send('sandbox/invoice/create', { body: huge, id: 'req-huge' }),
      ];
      expect(refused.map(({ status }) => status)).toEqual([404, 405, 413]);
    });
    const { requests } = await list();
    expect(requests.map(({ requestId, status }) => [requestId, status])).toEqual([
      ['req-none', 404],
      ['req-status', 200],
      ['req-wrong', 422],
      ['req-again', 409],
      ['req-made', 200],
    ]);
    const byId = new Map(requests.map((each) => [each.requestId, each]));
    expect(byId.get('req-made')).toMatchObject({
      method: 'POST',
      path: '/api/sandbox/invoice/create',
      tokenName: 'test',
      invoiceId,
      merchantTransactionId: mtid,
      message: null,
      faults: [],
    });
    expect(byId.get('req-again')).toMatchObject({
      message: 'Invoice with this merchant_transaction_id already exists',
      merchantTransactionId: mtid,
    });
    const places = ['amount', 'positions.0.amount', 'positions.0.title', '\0"\ud800'];
    expect(byId.get('req-wrong')?.faults.map(({ loc }) => loc.join('.'))).toEqual(
      expect.arrayContaining(places.map((place) => `body.${place}`)),
    );
    expect(byId.get('req-status')?.invoiceId).toBe(invoiceId);
    expect(byId.get('req-none')?.invoiceId).toBeNull();
    // A token of the other environment is refused, but its owner is known.
    const other = await listApiRequests(database.pool, tenantOf('production'), {
      search: null,
      outcome: null,
      endpoint: null,
      limit: 5,
      cursor: null,
    });
    expect(other.requests).toMatchObject([{ requestId: 'req-other', status: 401 }]);
    const { rows } = await database.pool.query('SELECT * FROM api_requests');
    const kept = JSON.stringify(rows);
    expect(kept).not.toContain('buyer-secret');
    expect(kept).not.toContain(merchant.sandbox.authorization.slice('Bearer '.length));

    const ids = async (filters: Partial<RequestFilters>) =>
      (await list(filters)).requests.map(({ requestId }) => requestId);
    expect(await ids({ search: ' ｒeq‑wrong' })).toEqual(['req-wrong']);
    expect(await ids({ search: invoiceId })).toEqual(['req-status', 'req-made']);
    expect(await ids({ search: mtid, outcome: 'failed' })).toEqual(['req-again']);
    expect(await ids({ outcome: 'failed' })).toEqual(['req-none', 'req-wrong', 'req-again']);
    expect(await ids({ outcome: 'server_fault' })).toEqual([]);
    expect(await ids({ endpoint: '/invoice/status' })).toEqual(['req-status']);
    expect(await ids({ search: 'req-other' })).toEqual([]);
    const stranger = await createRestMerchant(database.pool);
    expect((await list({ search: invoiceId }, { id: stranger.id })).requests).toEqual([]);
    expect((await list({}, { id: stranger.id })).requests).toEqual([]);
  });

  test('finds an order by the longest id, and one whose long body was refused', async () => {
    const mtid = '😀'.repeat(255);
    const positions = Array.from({ length: 500 }, () => ({
      title: 'x'.repeat(300),
      amount: 1,
      currency: 'USD',
    }));
    const body = createBody({ merchant_transaction_id: mtid, positions });
    await withHandler(async (send) => {
      await send('sandbox/invoice/create', { body, id: 'req-long' });
      await send('sandbox/invoice/create', { body, id: 'req-long-again' });
      const wrong = { ...body, amount: -1 };
      await send('sandbox/invoice/create', { body: wrong, id: 'req-long-wrong' });
    });
    const { requests } = await list({ search: mtid });
    expect(requests.map(({ requestId, status }) => [requestId, status])).toEqual([
      ['req-long-wrong', 422],
      ['req-long-again', 409],
      ['req-long', 200],
    ]);
  });

  test.each<[string, RequestOutcome | null, string | null, string[]]>([
    ['an endpoint', null, '/a', ['r20', 'r10', 'r0']],
    ['failures', 'failed', null, ['r29', 'r14']],
    ['successes of an endpoint', 'succeeded', '/b', numbers((i) => i % 10 !== 0 && i % 15 !== 14)],
    ['all', null, null, numbers(() => true)],
  ])(
    '%s: page by page, looking at so many rows at a time and missing none',
    async (name, outcome, endpoint, expected) => {
      const id = `mer_pages_${name}`;
      const journal = new RequestJournal(database.pool, createLogger('silent'));
      for (let i = 0; i < 30; i++) {
        const path = `/api/sandbox/${i % 10 === 0 ? 'a' : 'b'}`;
        journal.note(exchanged(id, { path, number: i, status: i % 15 === 14 ? 404 : 200 }));
      }
      await journal.stop();
      for (const scanLimit of [4, 1000]) {
        const seen: string[] = [];
        let cursor: string | null = null;
        do {
          const page: Awaited<ReturnType<typeof list>> = await list(
            { endpoint, outcome },
            { id, cursor, limit: 2, scanLimit },
          );
          seen.push(...page.requests.map(({ requestId }) => requestId));
          cursor = page.nextCursor;
        } while (cursor !== null);
        expect(seen).toEqual(expected);
      }
    },
  );

  test('finds what is rare behind the many polls of an invoice', async () => {
    const id = 'mer_polls';
    const request = (number: number, endpoint: string, status: number) => ({
      tenant: tenantOf('sandbox', id),
      at: new Date(1_800_000_000_000),
      tokenId: 'tok_1',
      requestId: `r${number}`,
      method: 'GET',
      path: `/api/sandbox/invoice/${endpoint}`,
      status,
      durationMs: 1,
      message: null,
      faults: null,
      invoiceId: 'inv_polled',
      merchantTransactionId: 'mt_polled',
      skipped: 0,
    });
    const polls = Array.from({ length: 10_000 }, (_, i) => request(i + 2, 'status', 200));
    await recordApiRequests(database.pool, [
      request(0, 'create', 200),
      request(1, 'cancel', 409),
      ...polls,
    ]);
    for (const search of ['inv_polled', 'mt_polled']) {
      const ids = async (filters: Partial<RequestFilters>) =>
        (await list({ search, ...filters }, { id })).requests.map(({ requestId }) => requestId);
      expect(await ids({ endpoint: '/invoice/create' })).toEqual(['r0']);
      expect(await ids({ outcome: 'failed' })).toEqual(['r1']);
    }
  });

  test('counts what is too much a second, and keeps room for failures', async () => {
    const id = 'mer_busy';
    const journal = new RequestJournal(database.pool, createLogger('silent'));
    for (let i = 0; i < 1000; i++) journal.note(exchanged(id, { number: i }));
    journal.note(exchanged(id, { number: 1000, status: 500 }));
    await journal.stop();
    const { requests } = await list({}, { id, limit: 200 });
    expect(requests[0]).toMatchObject({ requestId: 'r1000', skipped: 800 });
    const { rows } = await database.pool.query(
      'SELECT count(*)::int n FROM api_requests WHERE merchant_id = $1',
      [id],
    );
    expect(rows).toEqual([{ n: 201 }]);
  });

  test('loses and counts what a database that hangs would pile up, and asks it once', async () => {
    const lines: string[] = [];
    let asked = 0;
    const hanging: Queryable = {
      query: () => {
        asked += 1;
        return new Promise((_, reject) => setTimeout(() => reject(new Error('slow')), 50));
      },
    };
    const journal = new RequestJournal(
      hanging,
      createLogger('warn', { write: (text: string) => lines.push(text) }),
    );
    journal.note(exchanged('mer_0', { number: 0 }));
    const first = journal.flush();
    for (let i = 0; i < 3000; i++) journal.note(exchanged(`mer_${i}`, { number: i }));
    void journal.flush();
    expect(asked).toBe(1);
    await first;
    await journal.stop();
    const lost = lines.map((line) => (JSON.parse(line) as { lost?: number }).lost ?? 0);
    expect(lost.reduce((sum, each) => sum + each, 0)).toBeGreaterThanOrEqual(1001);
  });

  test('is deleted after seven days, a part at a time, and nothing younger', async () => {
    const id = 'mer_old';
    await database.pool.query('DELETE FROM api_requests');
    const journal = new RequestJournal(database.pool, createLogger('silent'));
    for (let i = 0; i < 5; i++) {
      journal.note(exchanged(id, { number: i, at: new Date(Date.now() - (8 - i) * DAY_MS) }));
    }
    await journal.stop();
    const run = (limit: number) => cleanUpApiRequests(database.pool, { now: new Date(), limit });
    expect([await run(1), await run(10), await run(10)]).toEqual([1, 1, 0]);
    expect((await list({}, { id })).requests.map(({ requestId }) => requestId)).toEqual([
      'r4',
      'r3',
      'r2',
    ]);
  });
});

function exchanged(
  merchantId: string,
  more: { number: number; path?: string; status?: number; at?: Date },
): Exchanged {
  return {
    tenant: tenantOf('sandbox', merchantId),
    tokenId: 'tok_1',
    at: more.at ?? new Date(1_800_000_000_000),
    requestId: `r${more.number}`,
    request: {
      method: 'GET',
      path: more.path ?? '/api/sandbox/invoice/status',
      query: new URLSearchParams(),
    },
    status: more.status ?? 200,
    durationMs: 1,
    body: new Uint8Array(),
    answer: '{}',
  };
}
