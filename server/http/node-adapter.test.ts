import { once } from 'node:events';
import { createServer, request, type Server } from 'node:http';
import { connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { oneByOneInvoices } from '../invoices/merchant-invoices.ts';
import { createLogger } from '../observability/log.ts';
import { handleAcquirerCall } from '../rest/acquirer-calls.ts';
import { RestHandler } from '../rest/handler.ts';
import { createTestDatabase, type TestDatabase } from '../testing/database/database.ts';
import { answerNodeRequest, hookPathOf, restPathOf } from './node-adapter.ts';

let database: TestDatabase;
let handler: RestHandler;
let server: Server;
let port = 0;
const lines: string[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
  const log = createLogger('info', { write: (text: string) => lines.push(text) });
  const invoices = oneByOneInvoices(database.pool);
  const context = { db: database.pool, invoices, publicUrl: '', clock: () => new Date(), log };
  const limits = { rateLimitPerSecond: 200, rateLimitBurst: 1000, failedAuthPerMinute: 300 };
  handler = new RestHandler(context, limits, database.url);
  await handler.ready;
  server = createServer({ keepAliveTimeout: 60_000 }, (incoming, response) => {
    const path = restPathOf(incoming.url ?? '') ?? '';
    answerNodeRequest(
      path === '' ? handleAcquirerCall : (given) => handler.handle(given),
      { request: incoming, response, path: path || (hookPathOf(incoming.url ?? '') ?? '') },
      0,
      (error) => incoming.destroy(error as Error),
    );
  }).listen(0);
  await once(server, 'listening');
  const address = server.address();
  port = typeof address === 'object' && address ? address.port : 0;
});

afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await handler.close();
  await database.drop();
});

const CREATE = '/api/sandbox/invoice/create';

test.each([
  [CREATE, CREATE],
  [`${CREATE}?x=//../`, CREATE],
  ['/api/production/test/invoice/pay', '/api/production/test/invoice/pay'],
  [`${CREATE}/`, `${CREATE}/`],
  ['/api/sandbox//invoice/create', '/api/sandbox//invoice/create'],
  ['/api/staging/invoice/create', '/api/staging/invoice/create'],
  ['/api/auth/invoice/create', '/api/auth/invoice/create'],
  ['/api/auth/signin/invoice', null],
  ['/api/trpc/sandbox/invoices.list', null],
  ['/api/sandbox', null],
  ['/api/health', null],
  ['/pay/inv_1', null],
])('%s is %s to our own server; null goes to Next', (url, path) => {
  expect(restPathOf(url)).toBe(path);
});

test('the hooks of acquirers are answered by our own server too', async () => {
  const account = `acq_${'0'.repeat(35)}`;
  expect(hookPathOf(`/api/acquirers/payme/${account}?x=1`)).toBe(`/api/acquirers/payme/${account}`);
  expect(hookPathOf('/api/acquirers')).toBeNull();
  const post = async (path: string, body: string) => {
    const address = `http://127.0.0.1:${port}/api/acquirers/${path}`;
    const answer = await fetch(address, {
      method: 'POST',
      body,
      headers: { 'x-request-id': 'r1' },
    });
    return [answer.status, answer.headers.get('x-request-id'), await answer.text()];
  };
  expect(await post('payme/unknown', '{}')).toEqual([404, 'r1', '']);
  const tooLong = 'x'.repeat(64 * 1024 + 1);
  expect(await post(`payme/${account}`, tooLong)).toEqual([413, 'r1', 'Too long']);
});

test('a caller that leaves within its body is neither logged nor counted as a failure of ours', async () => {
  const socket = connect(port, '127.0.0.1');
  const taken = once(server, 'request');
  socket.write(`POST ${CREATE} HTTP/1.1\r\nhost: x\r\ncontent-length: 100\r\n\r\n{"amount"`);
  await taken;
  lines.length = 0;
  socket.destroy();
  // The previous request may be logged only now.
  await expect.poll(() => lines.join('')).toContain('"status":499');
  expect(lines.join('')).not.toContain('"level":"error"');
});

test('413 is read by a caller that goes on sending, and one that never ends is cut off', async () => {
  const sender = request({ port, method: 'POST', path: CREATE });
  sender.on('error', () => undefined);
  const answered = once(sender, 'response');
  const chunk = Buffer.alloc(64 * 1024, 'x');
  let sentBytes = 0;
  let isCutOff = false;
  sender.on('close', () => {
    isCutOff = true;
  });
  const pump = setInterval(() => {
    if (isCutOff || sentBytes > 64 * 1024 * 1024) clearInterval(pump);
    else if (sender.write(chunk)) sentBytes += chunk.length;
  }, 1);
  const [answer] = await answered;
  expect(answer.statusCode).toBe(413);
  answer.resume();
  await expect.poll(() => isCutOff, { timeout: 20_000 }).toBe(true);
  expect(sentBytes).toBeLessThan(16 * 1024 * 1024);
  clearInterval(pump);
});

test.each(['GET', 'POST'])('a connection goes on after a %s with a body', async (method) => {
  const socket = connect(port, '127.0.0.1');
  let heard = '';
  socket.setEncoding('latin1').on('data', (text: string) => {
    heard += text;
  });
  const head = `${method} /api/sandbox/invoice/status?invoice_id=inv_1 HTTP/1.1\r\nhost: x\r\n`;
  const answers = () => heard.match(/HTTP\/1\.1 \d+/g) ?? [];
  for (const expected of [1, 2, 3]) {
    socket.write(`${head}content-length: 200000\r\n\r\n${'x'.repeat(200_000)}`);
    await expect.poll(() => answers().length).toBe(expected);
  }
  socket.destroy();
});
