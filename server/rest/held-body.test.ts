import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createHttpServer } from '../http/http-server.ts';
import { answerNodeRequest } from '../http/node-adapter.ts';
import { readBody } from '../http/read-body.ts';
import { oneByOneInvoices } from '../invoices/merchant-invoices.ts';
import { createLogger } from '../observability/log.ts';
import { createTestDatabase, type TestDatabase } from '../testing/database/database.ts';
import { openSender, type RawSender } from '../testing/raw-sender.ts';
import { createBody, createRestMerchant, type RestMerchant } from '../testing/rest.ts';
import { BODY_LIMIT_BYTES } from '../wire/json-body.ts';
import { RestHandler } from './handler.ts';

const CREATE = '/api/sandbox/invoice/create';
/** More of the largest bodies than are held of one address. */
const SLOW_SENDERS = 40;
/** Together they hold all that may be held. */
const ADDRESSES = ['127.0.0.2', '127.0.0.3', '127.0.0.4', '127.0.0.5', '127.0.0.6'];
/** As long as a busy machine may take. */
const PATIENCE = { timeout: 10_000 };

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
function sendSlowly(bodyBytes: number, localAddress: string): RawSender {
  const sender = openSender((server.address() as AddressInfo).port, localAddress);
  const head = `POST ${CREATE} HTTP/1.1\r\nhost: x\r\ncontent-length: ${bodyBytes}\r\n\r\n`;
  sender.socket.write(head);
  sender.socket.write(Buffer.alloc(bodyBytes - 1, ' '));
  return sender;
}

/** As many as are too many from each of the addresses; resolves when so many have been refused. */
async function crowd(addresses: string[], refused: number): Promise<RawSender[]> {
  const senders = addresses.flatMap((address) =>
    Array.from({ length: SLOW_SENDERS }, () => sendSlowly(BODY_LIMIT_BYTES, address)),
  );
  const answers = () => senders.map(({ answer }) => answer()).filter((answer) => answer !== '');
  await expect.poll(() => answers().length, PATIENCE).toBeGreaterThanOrEqual(refused);
  for (const answer of answers()) {
    expect(answer).toMatch(/^HTTP\/1\.1 503 .*\r\nretry-after: 1\r\n.*"Service is busy"/s);
  }
  return senders;
}

/** They all leave; resolves when the place of each is free again. */
async function leave(senders: RawSender[]): Promise<void> {
  for (const { socket } of senders) socket.destroy();
  await expect.poll(() => create(BODY_LIMIT_BYTES), PATIENCE).toBe(200);
}

test('503 for a large body while others hold all that may be held, and none for a small one', async () => {
  const senders = await crowd(ADDRESSES, ADDRESSES.length * SLOW_SENDERS - 137);
  expect(await create(BODY_LIMIT_BYTES)).toBe(503);
  const small = Array.from({ length: 160 }, () => sendSlowly(15 * 1024, '127.0.0.2'));
  await sleep(200);
  for (const { socket } of small) socket.write(' ');
  await expect.poll(() => small.every(({ answer }) => / 401 /.test(answer())), PATIENCE).toBe(true);
  await leave([...senders, ...small]);
});

test('one address takes a quarter and no more, and another does not notice', async () => {
  const senders = await crowd(['127.0.0.2'], SLOW_SENDERS - 33);
  expect(senders.filter(({ answer }) => answer() === '').length).toBeGreaterThan(30);
  for (let count = 0; count < 5; count += 1) expect(await create(BODY_LIMIT_BYTES)).toBe(200);
  await leave(senders);
});

test('many small bodies of one address take no room from large ones', async () => {
  const small = Array.from({ length: 600 }, () => sendSlowly(16_000, '127.0.0.2'));
  await sleep(500);
  const large = sendSlowly(BODY_LIMIT_BYTES, '127.0.0.2');
  await sleep(200);
  large.socket.write(' ');
  await expect.poll(large.answer, PATIENCE).toMatch(/ 401 /);
  await leave([...small, large]);
});

test('what was answered takes no place any more', async () => {
  for (let count = 0; count < SLOW_SENDERS; count += 1) {
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
