import { EventEmitter, once } from 'node:events';
import type { RequestListener, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { HeldBody, HeldBytes } from '../rest/held-body.ts';
import { openSender, type RawSender } from '../testing/raw-sender.ts';
import { createHttpServer } from './http-server.ts';
import { inTurn, MOST_WAITING } from './in-turn.ts';
import { readNodeBody } from './node-adapter.ts';

let server: Server;
let begun: string[];
const gate = new EventEmitter();
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

const LIMIT_BYTES = 1024 * 1024;

/** Answers by what it was sent; `/held` waits until the gate says `open`. */
const listener: RequestListener = async (request, response) => {
  const { url } = request;
  begun.push(url ?? '');
  if (url === '/held') await once(gate, 'open');
  if (url === '/last') response.setHeader('connection', 'close');
  const held = new HeldBody(new HeldBytes(), '127.0.0.1');
  const body =
    request.method === 'POST' && url !== '/unread'
      ? await readNodeBody(request, LIMIT_BYTES, held)
      : '';
  response.end(`<${url} ${body.length}>`);
};

async function open(): Promise<RawSender> {
  begun = [];
  server = createHttpServer().on('request', inTurn(listener));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return openSender((server.address() as AddressInfo).port);
}

const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`;
const post = (path: string, bytes: number) =>
  `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: ${bytes}\r\n\r\n`;
const answers = ({ answer }: RawSender) => answer().match(/<.*?>/g) ?? [];

test('a request begins when the one before it on its connection is answered', async () => {
  const sender = await open();
  sender.socket.write(`${get('/held')}${post('/a', 2)}{}${get('/b')}${get('/held')}${get('/c')}`);
  await expect.poll(() => begun).toContain('/held');
  // Of another connection, and so long there for all to have been parsed.
  await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/other`);
  expect(begun).toEqual(['/held', '/other']);
  gate.emit('open');
  await expect.poll(() => begun).toEqual(['/held', '/other', '/a', '/b', '/held']);
  gate.emit('open');
  await expect
    .poll(() => answers(sender))
    .toEqual(['</held 0>', '</a 2>', '</b 0>', '</held 0>', '</c 0>']);
});

test('what comes behind the last answer of a connection is never begun', async () => {
  const sender = await open();
  sender.socket.write(`${get('/last')}${post('/create', 2)}{}`);
  await once(sender.socket, 'close');
  expect(answers(sender)).toEqual(['</last 0>']);
  expect(begun).toEqual(['/last']);
});

test('a body that comes in parts is read whole when it is its turn', async () => {
  const sender = await open();
  const bytes = 600_000;
  sender.socket.write(`${get('/held')}${post('/a', bytes)}${'x'.repeat(bytes)}${get('/b')}`);
  await expect.poll(() => begun).toEqual(['/held']);
  gate.emit('open');
  await expect.poll(() => answers(sender)).toEqual(['</held 0>', `</a ${bytes}>`, '</b 0>']);
});

test('whoever sends on and on is not read while what has come waits', async () => {
  const sender = await open();
  let come = 0;
  let most = 0;
  server.on('request', () => {
    come += 1;
    most = Math.max(most, come - begun.length);
  });
  const count = 3_000;
  const long = post('/unread', 2).replace('Host: x', `Host: x\r\nX-Long: ${'x'.repeat(4_096)}`);
  sender.socket.write(get('/held') + `${long}{}`.repeat(count));
  await expect.poll(() => begun).toEqual(['/held']);
  // Time enough for all of it to be read.
  for (let i = 0; i < 200; i += 1) await nextTurn();
  gate.emit('open');
  await expect.poll(() => begun.length, { timeout: 20_000 }).toBe(count + 1);
  expect(most).toBeLessThan(300);
});

test('nor is the body of a request that waits, whatever waits before it', async () => {
  const sender = await open();
  let bytesRead = (): number => 0;
  server.on('request', ({ socket }) => {
    bytesRead = () => socket.bytesRead;
  });
  const bytes = 8 * LIMIT_BYTES;
  sender.socket.write(`${get('/held')}${get('/a')}${post('/unread', bytes)}${'x'.repeat(bytes)}`);
  await expect.poll(() => begun).toEqual(['/held']);
  // Time enough for all of it to be read.
  for (let i = 0; i < 200; i += 1) await nextTurn();
  expect(bytesRead()).toBeLessThan(LIMIT_BYTES);
  gate.emit('open');
  await expect.poll(() => answers(sender)).toEqual(['</held 0>', '</a 0>', '</unread 0>']);
  await expect.poll(() => bytesRead()).toBeGreaterThan(bytes);
});

test('a row of requests leaves the process to others in between', async () => {
  const sender = await open();
  let turn = 0;
  const turns = new Set<number>();
  const count = () => {
    turn += 1;
    immediate = setImmediate(count);
  };
  let immediate = setImmediate(count);
  // As an answer begins, so does the work for it.
  const push = begun.push.bind(begun);
  begun.push = (...urls) => {
    turns.add(turn);
    return push(...urls);
  };
  const row = 40;
  sender.socket.write(get('/a').repeat(row));
  await expect.poll(() => begun.length).toBe(row);
  clearImmediate(immediate);
  expect(turns.size).toBe(row);
});

test('a connection on which too many requests wait is closed, and none of them begun', async () => {
  const sender = await open();
  sender.socket.write(get('/held') + get('/a').repeat(MOST_WAITING));
  await expect.poll(() => begun).toEqual(['/held']);
  gate.emit('open');
  await expect.poll(() => begun.length).toBe(1 + MOST_WAITING);
  const other = openSender((server.address() as AddressInfo).port);
  begun = [];
  other.socket.write(get('/held') + get('/a').repeat(MOST_WAITING + 1));
  await once(other.socket, 'close');
  gate.emit('open');
  await nextTurn();
  expect(begun).toEqual(['/held']);
});

test('what nobody may expect waits as well', async () => {
  const sender = await open();
  const odd = get('/odd').replace('Host', 'Expect: more\r\nHost');
  sender.socket.write(get('/held') + odd.repeat(MOST_WAITING + 1));
  await once(sender.socket, 'close');
  gate.emit('open');
  expect(begun).toEqual(['/held']);
});
