import { once } from 'node:events';
import type { Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { oneByOneInvoices } from '../invoices/merchant-invoices.ts';
import { readBody } from '../lib/read-body.ts';
import { createLogger } from '../log.ts';
import { createTestDatabase, type TestDatabase } from '../testing/database.ts';
import { createBody, createRestMerchant, type RestMerchant } from '../testing/rest.ts';
import { BODY_LIMIT_BYTES, RestHandler } from './handler.ts';
import { createHttpServer } from './http-server.ts';
import { answerNodeRequest } from './node-door.ts';

const CREATE = '/api/sandbox/invoice/create';
/** Of the largest bodies, in 32 MiB. */
const MOST_HELD = 128;
const SLOW_SENDERS = 160;

let database: TestDatabase;
let handler: RestHandler;
let merchant: RestMerchant;
let server: Server;

beforeAll(async () => {
  database = await createTestDatabase();
  merchant = await createRestMerchant(database.pool);
  const context = {
    db: database.pool,
    invoices: oneByOneInvoices(database.pool),
    publicUrl: '',
    clock: () => new Date(),
    log: createLogger('silent'),
  };
  const limits = { rateLimitPerSecond: 200, rateLimitBurst: 1000, failedAuthPerMinute: 300 };
  handler = new RestHandler(context, limits, database.url);
  await handler.ready;
  server = createHttpServer().listen(0, '127.0.0.1');
  server.on('request', (request, response) => {
    answerNodeRequest(handler, { request, response, path: CREATE }, 0, () => response.destroy());
  });
  await once(server, 'listening');
});

afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await handler.close();
  await database.drop();
});

/** The status of a create whose body has so many bytes. */
async function create(bodyBytes: number): Promise<number> {
  const answer = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, {
    method: 'POST',
    headers: { ...merchant.sandbox, 'content-type': 'application/json' },
    body: JSON.stringify(createBody()).padEnd(bodyBytes, ' '),
  });
  return answer.status;
}

/** Sends all of a body but its last byte; `answer` tells what came back. */
function sendSlowly(bodyBytes: number): { socket: Socket; answer: () => string } {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  let answer = '';
  socket.setEncoding('latin1').on('data', (text: string) => {
    answer += text;
  });
  socket.on('error', () => undefined);
  socket.write(`POST ${CREATE} HTTP/1.1\r\nhost: x\r\ncontent-length: ${bodyBytes}\r\n\r\n`);
  socket.write(Buffer.alloc(bodyBytes - 1, ' '));
  return { socket, answer: () => answer };
}

test('503 for a large body while others hold all that may be held, and none for a small one', async () => {
  const send = (bodyBytes: number) => () => sendSlowly(bodyBytes);
  const senders = Array.from({ length: SLOW_SENDERS }, send(BODY_LIMIT_BYTES));
  const answers = () => senders.map(({ answer }) => answer()).filter((answer) => answer !== '');
  const refused = SLOW_SENDERS - MOST_HELD;
  await expect.poll(() => answers().length, { timeout: 10_000 }).toBeGreaterThanOrEqual(refused);
  for (const answer of answers()) {
    expect(answer).toMatch(/^HTTP\/1\.1 503 .*\r\nretry-after: 1\r\n.*"Service is busy"/s);
  }
  // Together more than who was refused has left room for.
  const small = Array.from({ length: SLOW_SENDERS }, send(15 * 1024));
  await sleep(200);
  for (const { socket } of small) socket.write(' ');
  await expect.poll(() => small.every(({ answer }) => / 401 /.test(answer()))).toBe(true);

  for (const { socket } of [...senders, ...small]) socket.destroy();
  await expect.poll(() => create(BODY_LIMIT_BYTES)).toBe(200);
});

test('what was answered takes no place any more', async () => {
  for (let count = 0; count <= MOST_HELD; count += 1) {
    expect(await create(BODY_LIMIT_BYTES)).toBe(200);
  }
});

test('by the door of Next a body counts as well', async () => {
  const told: number[] = [];
  const take = (bytes: number) => told.push(bytes) === 0;
  const request = new Request('http://x/', { method: 'POST', body: '{"amount":1}' });
  expect(await readBody(request, BODY_LIMIT_BYTES, take)).toBe('busy');
  expect(told).toEqual([12]);
});
