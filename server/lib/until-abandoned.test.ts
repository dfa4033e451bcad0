import { EventEmitter, once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openSender } from '../testing/raw-sender.ts';
import { untilAbandoned } from './until-abandoned.ts';

const ABANDONED_MS = 150;
const PATIENCE = { timeout: 10_000 };

let server: Server;
let settled: string[];
/** What ends the work on a path. */
let work: { [path: string]: (response: ServerResponse) => Promise<void> };

const never = () => new Promise<void>(() => undefined);

beforeEach(async () => {
  settled = [];
  work = {};
  server = createServer((request, response) => {
    const { url = '' } = request;
    untilAbandoned(response, (work[url] ?? never)(response), ABANDONED_MS).then(
      () => settled.push(url),
      (error: unknown) => settled.push(`${url} ${error}`),
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

function ask(...paths: string[]) {
  const sender = openSender((server.address() as AddressInfo).port);
  for (const path of paths) sender.socket.write(`GET ${path} HTTP/1.1\r\nhost: x\r\n\r\n`);
  return sender;
}

test('what never says that it is done is over a while after its reader has left', async () => {
  const { socket } = ask('/lost');
  await sleep(2 * ABANDONED_MS);
  socket.resetAndDestroy();
  await sleep(ABANDONED_MS / 3);
  expect(settled).toEqual([]);
  await expect.poll(() => settled, PATIENCE).toEqual(['/lost']);
});

test('so is what waits behind another answer of its connection', async () => {
  const { socket } = ask('/slow', '/behind');
  await sleep(50);
  socket.resetAndDestroy();
  await expect.poll(() => settled, PATIENCE).toEqual(['/slow', '/behind']);
});

test('work that goes on is waited for, whoever has left', async () => {
  const gate = new EventEmitter();
  work['/held'] = async () => void (await once(gate, 'open'));
  const { socket } = ask('/held');
  await sleep(50);
  socket.resetAndDestroy();
  await sleep(50);
  expect(settled).toEqual([]);
  gate.emit('open');
  await expect.poll(() => settled, PATIENCE).toEqual(['/held']);
});

test('an answer is over when the work is, and its connection keeps nothing of it', async () => {
  work['/page'] = async (response) => {
    response.end('a page');
  };
  work['/fault'] = async (response) => {
    response.end();
    throw new Error('no');
  };
  const connected = once(server, 'connection');
  ask('/page', '/fault');
  const [socket] = await connected;
  const listeners = socket.listenerCount('close');
  await expect.poll(() => settled, PATIENCE).toEqual(['/page', '/fault Error: no']);
  expect(socket.listenerCount('close')).toBe(listeners);
});
