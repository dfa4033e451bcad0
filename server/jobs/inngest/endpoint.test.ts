import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { NextRequest } from 'next/server.js';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { closePool } from '../../db/pool.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/database/database.ts';
import { createMerchantFixture } from '../../testing/factories.ts';
import { signatureOf } from '../../testing/inngest.ts';
import { createTestInvoice } from '../../testing/invoices.ts';
import { forgetSettings } from '../../testing/settings.ts';

const KEY = `signkey-test-${'ab'.repeat(32)}`;
const PATH = '/api/inngest?fnId=payment-gateway-expire-invoices&stepId=step';
// The keys have the order of canonical JSON, which Inngest signs.
const CALL = JSON.stringify({
  ctx: { attempt: 0, fn_id: '', run_id: 'run', stack: { current: 0, stack: [] }, use_api: false },
  event: { data: {}, id: 'evt', name: 'gateway/invoices.due', ts: 0 },
  events: [{ data: {}, id: 'evt', name: 'gateway/invoices.due', ts: 0 }],
  steps: {},
  use_api: false,
  version: 2,
});

let database: TestDatabase;

async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** The real handler behind a real HTTP server, with its own settings. */
async function openWeb(variables: Record<string, string>) {
  vi.resetModules();
  forgetSettings();
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
  const { answerInngest } = await import('./endpoint.ts');
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { method = 'GET', url = '/', headers } = request;
    const answer = await answerInngest(
      new NextRequest(new URL(url, `http://${headers.host}`), {
        method,
        headers: new Headers(Object.entries(headers).map(([name, value]) => [name, String(value)])),
        ...(method === 'GET' ? {} : { body: Buffer.concat(chunks) }),
      }),
    );
    response.writeHead(answer.status, Object.fromEntries(answer.headers));
    response.end(Buffer.from(await answer.arrayBuffer()));
  });
  const url = await listen(server);
  return { url, close: () => new Promise((resolve) => server.close(resolve)) };
}

beforeAll(async () => {
  database = await createTestDatabase();
  vi.stubEnv('SECRETS_KEY', Buffer.alloc(32, 1).toString('base64'));
  vi.stubEnv('DATABASE_URL', database.url);
});

afterAll(async () => {
  await closePool();
  vi.unstubAllEnvs();
  await database.drop();
});

describe('with the inngest driver in production', () => {
  let web: Awaited<ReturnType<typeof openWeb>>;
  let invoiceId: string;

  beforeAll(async () => {
    const variables = {
      NODE_ENV: 'production',
      JOBS_DRIVER: 'inngest',
      INNGEST_SIGNING_KEY: KEY,
      INNGEST_EVENT_KEY: 'test',
      LOG_LEVEL: 'silent',
    };
    web = await openWeb(variables);
    return web.close;
  });

  beforeEach(async () => {
    const { sandbox } = await createMerchantFixture(database.pool);
    const now = new Date(Date.now() - 60_000);
    const endDateMs = now.getTime() + 1_000;
    invoiceId = await createTestInvoice(database.pool, sandbox.tenant, { now, endDateMs });
  });

  const post = (headers: Record<string, string>, body = CALL) =>
    fetch(`${web.url}${PATH}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body,
    });

  async function status(): Promise<unknown> {
    const text = 'SELECT status FROM invoices WHERE id = $1';
    const { rows } = await database.pool.query(text, [invoiceId]);
    return rows[0]?.status;
  }

  test('200 and the work done for a signed call', async () => {
    const signature = signatureOf(CALL, { key: KEY, now: new Date() });
    const answer = await post({ 'x-inngest-signature': signature });
    expect(answer.status).toBe(200);
    expect(await answer.json()).toMatchObject({ count: expect.any(Number) });
    expect(await status()).toBe('EXPIRED');
  });

  const refused = {
    'no signature': () => ({}),
    'a signature with another key': () => ({
      'x-inngest-signature': signatureOf(CALL, { key: 'cd'.repeat(32), now: new Date() }),
    }),
    'the signature of another body': () => ({
      'x-inngest-signature': signatureOf('{}', { key: KEY, now: new Date() }),
    }),
    'a signature of an hour ago': () => ({
      'x-inngest-signature': signatureOf(CALL, {
        key: KEY,
        now: new Date(Date.now() - 3_600_000),
      }),
    }),
    'a signature that makes no sense': () => ({ 'x-inngest-signature': 'nonsense' }),
  };

  test.each(Object.entries(refused))('401 and nothing done for %s', async (_what, headers) => {
    const answer = await post(headers());
    expect(answer.status).toBe(401);
    expect(await status()).toBe('PENDING');
  });

  test('an unsigned question is answered 401, with nothing', async () => {
    const answer = await fetch(`${web.url}/api/inngest`);
    expect([answer.status, await answer.text()]).toEqual([401, '']);
  });

  test('however many ask for a registration at once, Inngest is asked for one', async () => {
    const asked: (() => void)[] = [];
    const inngest = createServer((request, response) => {
      request.resume();
      asked.push(() => response.end('{"ok":true,"modified":true}'));
    });
    vi.stubEnv('INNGEST_BASE_URL', await listen(inngest));
    const fresh = await openWeb({});
    const put = (headers: Record<string, string> = {}) =>
      fetch(`${fresh.url}/api/inngest?deployId=x`, { method: 'PUT', headers });
    // The SDK would refuse an unsigned one of the first kind, and with it those of workers.
    const all = [put({ 'x-inngest-sync-kind': 'in_band' }), put(), put()];
    await expect.poll(() => asked.length).toBe(1);
    all.push(put());
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(asked).toHaveLength(1);
    asked[0]?.();
    for (const answer of await Promise.all(all)) {
      expect(answer.status).toBe(200);
      expect(await answer.json()).toMatchObject({ modified: true });
    }
    // That answer serves others for a moment.
    expect((await put()).status).toBe(200);
    expect(asked).toHaveLength(1);
    await new Promise((resolve) => setTimeout(resolve, 1_100));
    const again = put();
    await expect.poll(() => asked.length).toBe(2);
    asked[1]?.();
    expect((await again).status).toBe(200);
    // A forged signature makes no call to Inngest.
    const forged = await put({ 'x-inngest-signature': `t=${Date.now()}&s=abc` });
    expect(forged.status).toBe(401);
    expect(asked).toHaveLength(2);
    await fresh.close();
    inngest.close();
  });
});

test.each(['GET', 'POST', 'PUT'])('404 for %s with the embedded driver', async (method) => {
  const web = await openWeb({ JOBS_DRIVER: 'embedded' });
  const answer = await fetch(`${web.url}/api/inngest`, {
    method,
    ...(method === 'GET' ? {} : { body: CALL }),
  });
  expect(answer.status).toBe(404);
  await web.close();
});
