import { EventEmitter, once } from 'node:events';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createHttpServer } from '../http/http-server.ts';
import { inTurn } from '../http/in-turn.ts';
import { PAGE_BODY_BYTES } from '../http/read-body.ts';
import { openSender, type RawSender } from '../testing/raw-sender.ts';
import { forWholeBodies } from './page-requests.ts';

/** More of the largest forms than are held of one address, which is 8. */
const SLOW_SENDERS = 12;

/** As long as a busy machine may take. */
const PATIENCE = { timeout: 10_000 };

let server: Server;
let asked: string[];
let failures: unknown[];
/** The work on `/held` goes on until it says `open`. */
let gate: EventEmitter;

/** Answers with what it was asked, as Next reads it. */
const echo = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
  const { method, url, headers } = request;
  asked.push(`${method} ${url}`);
  if (method === 'GET') {
    response.end('a page');
    return;
  }
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  await once(request, 'end');
  const text = Buffer.concat(chunks).toString();
  if (url === '/held') await once(gate, 'open');
  response.end(`${method} ${url} ${headers['x-own']} ${text.length} ${text.slice(0, 9)}`);
};

beforeEach(async () => {
  asked = [];
  failures = [];
  gate = new EventEmitter();
  server = createHttpServer();
  server.on('request', inTurn(forWholeBodies(echo, 0, (_response, error) => failures.push(error))));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
  expect(failures).toEqual([]);
});

const open = (localAddress?: string) =>
  openSender((server.address() as AddressInfo).port, localAddress);

const headOf = (length: string, path = '/pay/x') =>
  `POST ${path} HTTP/1.1\r\nhost: x\r\nx-own: 7\r\n${length}\r\n\r\n`;
const declared = (bytes: number, path?: string) => headOf(`content-length: ${bytes}`, path);
const CHUNKED = headOf('transfer-encoding: chunked');
const chunk = (bytes: number) => `${bytes.toString(16)}\r\n${'x'.repeat(bytes)}\r\n`;

/** Sends all of a form but its last byte. */
function sendSlowly(bytes: number, localAddress?: string): RawSender {
  const sender = open(localAddress);
  sender.socket.write(declared(bytes) + 'x'.repeat(bytes - 1));
  return sender;
}

test.each([
  ['with its length', `${declared(4)}a=1&`, 4],
  ['in chunks', `${CHUNKED}${chunk(3)}${chunk(2)}0\r\n\r\n`, 5],
  ['empty', declared(0), 0],
  ['as large as one may be', declared(PAGE_BODY_BYTES) + 'x'.repeat(PAGE_BODY_BYTES), 2 ** 20],
])('a form comes whole: %s', async (_how, bytes, length) => {
  const { socket, answer } = open();
  socket.write(bytes);
  await expect.poll(answer, PATIENCE).toContain(`POST /pay/x 7 ${length}`);
});

test('413 for what says that it is larger, before any of it is sent', async () => {
  const { socket, answer } = open();
  socket.write(declared(PAGE_BODY_BYTES + 1));
  await expect.poll(answer, PATIENCE).toMatch(/^HTTP\/1\.1 413 .*larger than 1 MiB/s);
  expect(asked).toEqual([]);
});

test('413 for what does not say so, once it is', async () => {
  const { socket, answer } = open();
  socket.write(CHUNKED + chunk(PAGE_BODY_BYTES));
  await sleep(200);
  expect(answer()).toBe('');
  socket.write(chunk(1));
  await expect.poll(answer, PATIENCE).toMatch(/^HTTP\/1\.1 413 /);
  expect(asked).toEqual([]);
});

test('503 for large forms of an address that holds its share, and for no other form', async () => {
  const senders = Array.from({ length: SLOW_SENDERS }, () => sendSlowly(PAGE_BODY_BYTES));
  const refused = () => senders.map(({ answer }) => answer()).filter((answer) => answer !== '');
  await expect.poll(() => refused().length, PATIENCE).toBeGreaterThanOrEqual(SLOW_SENDERS - 8);
  for (const answer of refused()) {
    expect(answer).toMatch(/^HTTP\/1\.1 503 .*\r\nretry-after: 1\r\n/s);
  }
  expect(asked).toEqual([]);
  const others = [sendSlowly(15_000), sendSlowly(PAGE_BODY_BYTES, '127.0.0.2')];
  await sleep(100);
  for (const { socket } of others) socket.write('x');
  await expect
    .poll(() => others.every(({ answer }) => / 200 /.test(answer())), PATIENCE)
    .toBe(true);

  for (const { socket } of senders) socket.destroy();
  await sleep(200);
  expect(asked).toHaveLength(2);
});

test('what was answered takes no place any more, nor does who left', async () => {
  for (let count = 0; count < SLOW_SENDERS; count += 1) {
    const { socket, answer } = sendSlowly(PAGE_BODY_BYTES);
    socket.write('x');
    await expect.poll(answer, PATIENCE).toMatch(/ 200 /);
    const left = sendSlowly(PAGE_BODY_BYTES);
    await sleep(20);
    left.socket.destroy();
  }
});

test('who leaves keeps the place of their form until it is worked through', async () => {
  const form = declared(PAGE_BODY_BYTES, '/held') + 'x'.repeat(PAGE_BODY_BYTES);
  const send = () => {
    const sender = open();
    sender.socket.write(form);
    return sender;
  };
  const crowd = () => Array.from({ length: SLOW_SENDERS }, send);
  const leaving = crowd();
  await expect.poll(() => asked.length, PATIENCE).toBeGreaterThanOrEqual(7);
  for (const { socket } of leaving) socket.resetAndDestroy();
  await sleep(200);
  const late = crowd();
  const refused = () => late.filter(({ answer }) => / 503 /.test(answer()));
  // One may find room beside seven.
  await expect.poll(() => refused().length, PATIENCE).toBeGreaterThanOrEqual(SLOW_SENDERS - 1);
  gate.emit('open');
  await sleep(100);
  const taken = crowd();
  await expect.poll(() => asked.length, PATIENCE).toBeGreaterThanOrEqual(14);
  gate.emit('open');
  await expect.poll(() => taken.some(({ answer }) => / 200 /.test(answer())), PATIENCE).toBe(true);
});

test('behind another answer of its connection a form waits, and takes no place until its turn', async () => {
  const form = declared(PAGE_BODY_BYTES) + 'x'.repeat(PAGE_BODY_BYTES - 1);
  const behind = () => {
    const sender = open();
    sender.socket.write(`${declared(1, '/held')}x${form}`);
    return sender;
  };
  const waiting = Array.from({ length: SLOW_SENDERS }, behind);
  await expect.poll(() => asked.length, PATIENCE).toBe(SLOW_SENDERS);
  const { answer, socket } = open();
  socket.write(`${form}x`);
  await expect.poll(answer, PATIENCE).toMatch(/ 200 .*POST \/pay\/x 7 1048576 /s);
  const [first, ...others] = waiting;
  for (const other of others) other.socket.resetAndDestroy();
  first?.socket.write('x');
  gate.emit('open');
  const both = /POST \/held 7 1 .* 200 .*POST \/pay\/x 7 1048576 /s;
  await expect.poll(() => first?.answer(), PATIENCE).toMatch(both);
});

test('a GET waits for no body', async () => {
  const { socket, answer } = open();
  socket.write('GET /pay/x HTTP/1.1\r\nhost: x\r\ncontent-length: 99999999\r\n\r\n');
  await expect.poll(answer, PATIENCE).toContain('a page');
});
