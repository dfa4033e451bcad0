import { once } from 'node:events';
import { createServer, request, type Server } from 'node:http';
import { connect } from 'node:net';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { oneByOneInvoices } from '../invoices/merchant-invoices.ts';
import { createLogger } from '../observability/log.ts';
import { RestHandler } from '../rest/handler.ts';
import { createTestDatabase, type TestDatabase } from '../testing/database/database.ts';
import { createBody, createRestMerchant } from '../testing/rest.ts';
import { call } from '../testing/rest-client.ts';
import { answerNodeRequest, restPathOf } from './node-adapter.ts';
import { answerParserError } from './parser-error.ts';

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
    answerNodeRequest(handler, { request: incoming, response, path }, 0, (error) => {
      incoming.destroy(error as Error);
    });
  }).listen(0);
  server.on('clientError', answerParserError);
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
  [`${CREATE}/`, null],
  ['/api/sandbox//invoice/create', null],
  ['/api/sandbox/x/../invoice/create', null],
  ['/api/sandbox/invoice/%63reate', null],
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

test('bytes that are no UTF-8 name nothing, be an order’s id the U+FFFD as which they would be read', async () => {
  const { sandbox: credentials } = await createRestMerchant(database.pool);
  const body = createBody({ merchant_transaction_id: '\ufffd' });
  const origin = `http://127.0.0.1:${port}`;
  expect((await call(`${origin}${CREATE}`, { credentials, body })).status).toBe(200);
  const read = (id: string) =>
    call(`${origin}/api/sandbox/invoice/status?merchant_transaction_id=${id}`, {
      method: 'GET',
      credentials,
    });
  expect((await read('%EF%BF%BD')).status).toBe(200);
  const answer = await read('%FF');
  expect(answer.status).toBe(404);
  expect(answer.json).toMatchObject({ error: { message: 'Invoice not found' } });
});

test.each([
  ['never, of a stranger', 'GET', '/api/sandbox/invoice/status', 'none', 401, 0],
  ['never, of a create', 'POST', CREATE, 'sandbox', 200, 0],
  [
    'once, of a status that is logged as well',
    'GET',
    '/api/sandbox/invoice/status',
    'sandbox',
    404,
    1,
  ],
  ['once, of a token elsewhere', 'GET', '/api/sandbox/invoice/status', 'production', 401, 1],
] as const)('a query is parsed %s', async (_what, method, path, whose, status, times) => {
  const merchant = await createRestMerchant(database.pool);
  const credentials = whose === 'none' ? null : merchant[whose];
  const parsed: string[] = [];
  class Counted extends URLSearchParams {
    constructor(text: string) {
      super(text);
      parsed.push(text);
    }
  }
  vi.stubGlobal('URLSearchParams', Counted);
  try {
    const url = `http://127.0.0.1:${port}${path}?invoice_id=inv_counted`;
    const body = method === 'POST' ? createBody() : undefined;
    const answer = await call(url, { method, credentials, body });
    expect(answer.status).toBe(status);
  } finally {
    vi.unstubAllGlobals();
  }
  expect(parsed).toEqual(Array.from({ length: times }, () => '?invoice_id=inv_counted'));
});

test('a caller that leaves within its body is neither logged nor counted as a failure of ours', async () => {
  const socket = connect(port, '127.0.0.1');
  const taken = once(server, 'request');
  socket.write(`POST ${CREATE} HTTP/1.1\r\nhost: x\r\ncontent-length: 100\r\n\r\n{"amount"`);
  await taken;
  lines.length = 0;
  socket.destroy();
  // The request before may be logged only now.
  await expect.poll(() => lines.join('')).toContain('"status":499');
  expect(lines.join('')).not.toContain('"level":"error"');
});

test.each([
  ['of the caller', 'x-request-id: mine-1\r\n', /^mine-1$/],
  ['of ours', '', /^req_\w+$/],
  ['of ours for one that is not sane', 'x-request-id: <b>\r\n', /^req_\w+$/],
])('a broken body is answered and logged under one id %s', async (_what, field, id) => {
  const socket = connect(port, '127.0.0.1');
  let heard = '';
  socket.setEncoding('latin1').on('data', (text: string) => {
    heard += text;
  });
  lines.length = 0;
  socket.write(
    `POST ${CREATE} HTTP/1.1\r\nhost: x\r\n${field}transfer-encoding: chunked\r\n\r\nzz\r\n`,
  );
  await once(socket, 'close');
  const answered = /^HTTP\/1\.1 400 .*?\r\nX-Request-Id: (\S+)/s.exec(heard)?.[1];
  expect(answered).toMatch(id);
  await expect.poll(() => lines.join('')).toContain('"msg":"request"');
  expect(lines.join('').match(/(?<="requestId":")[^"]*/g)).toEqual([answered]);
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

const STATUS = '/api/sandbox/invoice/status?invoice_id=inv_1';

test.each([
  ['none, as ever', 'GET', '', ''],
  ['one by its length', 'GET', 'content-length: 200000\r\n', 'x'.repeat(200_000)],
  ['one in chunks', 'GET', 'transfer-encoding: chunked\r\n', '3\r\nabc\r\n0\r\n\r\n'],
  ['none where one belongs', 'POST', 'content-length: 0\r\n', ''],
])('a connection goes on after bodies: %s', async (_what, method, field, body) => {
  const socket = connect(port, '127.0.0.1');
  let heard = '';
  socket.setEncoding('latin1').on('data', (text: string) => {
    heard += text;
  });
  const text = `${method} ${STATUS} HTTP/1.1\r\nhost: x\r\n${field}\r\n${body}`;
  const answers = () => heard.match(/HTTP\/1\.1 \d+/g) ?? [];
  // One after the other, and then several before the first is answered.
  for (const [sent, expected] of [
    [1, 1],
    [1, 2],
    [3, 5],
  ] as const) {
    socket.write(text.repeat(sent));
    await expect.poll(() => answers().length).toBe(expected);
  }
  expect(new Set(answers()).size).toBe(1);
  socket.destroy();
});
