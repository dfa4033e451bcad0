import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { claimedFor, openTcp, TEST_SECRET } from '../../testing/callbacks.ts';
import { classify } from '../outcome.ts';
import { createSender } from './send.ts';
import { signingKey } from './sign.ts';

const KEYS = [signingKey(TEST_SECRET)];
const closers: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

/** A server that answers each request by writing; its sender; and its number of requests. */
async function answering(answer: (socket: Socket, nth: number) => unknown) {
  let requests = 0;
  const server = await openTcp((socket) => {
    socket.setNoDelay();
    socket.on('data', (bytes) => {
      if (!bytes.toString('latin1').startsWith('POST ')) return;
      requests += 1;
      answer(socket, requests);
    });
  });
  const sender = createSender({ network: 'local', clock: () => new Date() });
  closers.push(server.close, sender.close);
  const url = `http://127.0.0.1:${server.port}/`;
  const send = async () => classify(await sender.send(claimedFor(url), KEYS));
  return { send, requests: () => requests, connections: () => server.seen.length };
}

const CONTINUE = 'HTTP/1.1 100 Continue\r\n\r\n';
const GOOD = 'HTTP/1.1 200 OK\r\nContent-Length: 16\r\n\r\n{"success":true}';

test.each([
  ['a 100', CONTINUE],
  ['a 100 with headers and no words', 'HTTP/1.1 100 \r\nServer: IIS\r\nDate: today\r\n\r\n'],
  ['two of them', CONTINUE + CONTINUE],
  ['a 102 and a 100', `HTTP/1.1 102 Processing\r\n\r\n${CONTINUE}`],
  ['a 103', 'HTTP/1.1 103 Early Hints\r\nLink: </x>; rel=preload\r\n\r\n'],
])('%s is passed over, and the final answer counts', async (_, interim) => {
  const { send, requests, connections } = await answering((socket) => socket.write(interim + GOOD));
  for (let nth = 1; nth <= 3; nth += 1) expect(await send()).toEqual({ delivered: true });
  expect(requests()).toBe(3);
  // A connection is free again a moment after its answer has been passed on.
  expect(connections()).toBeLessThanOrEqual(2);
});

test('wherever the network cuts the answer', async () => {
  const answer = `HTTP/1.1 100 Continue\r\nA: b\r\n\r\n${CONTINUE}${GOOD}`;
  const { send, requests } = await answering(async (socket, at) => {
    socket.write(answer.slice(0, at));
    await sleep(3);
    socket.write(answer.slice(at));
  });
  for (let at = 1; at < answer.length; at += 1) expect(await send()).toEqual({ delivered: true });
  expect(requests()).toBe(answer.length - 1);
});

test('byte by byte, and the final answer is told for what it is', async () => {
  const refusal = 'HTTP/1.1 500 Fault\r\nContent-Length: 0\r\n\r\n';
  const { send } = await answering(async (socket) => {
    for (const byte of CONTINUE + refusal) {
      socket.write(byte);
      await sleep(1);
    }
  });
  expect(await send()).toEqual({ delivered: false, reason: 'answered 500, not 200' });
});

test('nothing after a 100 is no answer', async () => {
  const { send } = await answering((socket) => socket.end(CONTINUE));
  expect(await send()).toEqual({
    delivered: false,
    reason: 'the connection was closed before the answer was complete',
  });
});
