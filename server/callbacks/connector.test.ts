import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { Agent } from 'undici';
import { afterEach, expect, test } from 'vitest';
import { type ResolvedAddress, vettedConnector } from './connector.ts';
import { failureOf } from './send-failure.ts';

const closers: (() => unknown)[] = [];

afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

// While it sleeps nothing is accepted, and with a backlog of one the kernel holds two connections
// and is silent to the next; whoever asks tries again after a second.
const SLEEPER = `
  const { createServer } = require('node:http');
  const { parentPort, workerData } = require('node:worker_threads');
  const server = createServer((request, response) => response.end('here'));
  server.listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => {
    parentPort.postMessage(server.address().port);
    Atomics.wait(workerData, 0, 0);
  });`;

/** A server on 127.0.0.1 that accepts nothing until it is woken. */
async function startSleeper() {
  const awake = new Int32Array(new SharedArrayBuffer(4));
  const worker = new Worker(SLEEPER, { eval: true, workerData: awake });
  const wake = () => {
    Atomics.store(awake, 0, 1);
    Atomics.notify(awake, 0);
  };
  const [port] = (await once(worker, 'message')) as [number];
  const waiting: Socket[] = [];
  for (let nth = 1; nth <= 2; nth += 1) {
    const socket = connect(port, '127.0.0.1').on('error', () => undefined);
    waiting.push(socket);
    await once(socket, 'connect');
  }
  closers.push(() => {
    for (const socket of waiting) socket.destroy();
    wake();
    return worker.terminate();
  });
  return { port, wake };
}

/** Asks `http://shop.example` at those addresses; `onAsked` is called once the name was found. */
function ask(port: number, found: ResolvedAddress[], onAsked: () => void) {
  const resolve = () => {
    setImmediate(onAsked);
    return Promise.resolve(found);
  };
  const agent = new Agent({ connect: vettedConnector('local', { resolve, timeoutMs: 10_000 }) });
  closers.push(() => agent.destroy());
  const asked = { origin: `http://shop.example:${port}`, path: '/', method: 'GET' } as const;
  return agent.request(asked).then(({ body }) => body.text());
}

// Nobody listens at the second one, which fails at once as on a host without IPv6.
const TWO: ResolvedAddress[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
];

test('of several addresses, one that is slow to accept is waited for', async () => {
  const { port, wake } = await startSleeper();
  const answer = ask(port, TWO, () => void sleep(300).then(wake));
  await expect(answer).resolves.toBe('here');
});

test('one of several that never accepts could not be reached', async () => {
  const { port } = await startSleeper();
  const error: unknown = await ask(port, TWO, () => undefined).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(AggregateError);
  expect(failureOf(error)).toBe('unreachable');
});
