import { EventEmitter, once } from 'node:events';
import type { RequestListener, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { createHttpServer } from '../http/http-server.ts';
import { openSender, type RawSender } from '../testing/raw-sender.ts';
import { drain } from './drain.ts';

vi.mock(import('node:timers/promises'), async (original) => {
  const timers = await original();
  return {
    ...timers,
    setTimeout: vi.fn(timers.setTimeout) as typeof timers.setTimeout,
    setImmediate: vi.fn(timers.setImmediate) as typeof timers.setImmediate,
  };
});

let server: Server;
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

/** The answer to `/held` waits for the event `open`. */
const gate = new EventEmitter();
const answering: RequestListener = async ({ url }, response) => {
  if (url === '/held') await once(gate, 'open');
  response.end('done');
};

async function open(): Promise<RawSender> {
  server = createHttpServer().on('request', answering);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return openSender((server.address() as AddressInfo).port);
}

const answers = ({ answer }: RawSender): number => answer().split('done').length - 1;

/** Sends a request over a kept connection, and waits for the answer. */
async function ask(sender: RawSender, path = '/'): Promise<void> {
  const count = answers(sender) + 1;
  sender.socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`);
  while (answers(sender) < count && !sender.socket.closed) await sleep(1);
}

test('who calls again and again is answered each time, until an answer says that it was the last', async () => {
  const sender = await open();
  const isTold = () => sender.answer().includes('connection: close');
  let asked = 0;
  let drained: Promise<void> | undefined;
  while (!isTold() && !sender.socket.closed) {
    await ask(sender);
    asked += 1;
    if (asked === 3) drained = drain(server);
    await sleep(20);
  }
  expect([asked, answers(sender)]).toEqual([4, 4]);
  expect(sender.answer().match(/^connection: .+$/gim)).toEqual([
    ...Array.from({ length: 3 }, () => 'Connection: keep-alive'),
    'connection: close',
  ]);
  await drained;
});

test('whose request is in flight for longer can ask once more after its answer', async () => {
  // The server closes idle connections at intervals, which must not happen before this request.
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const sender = await open();
  const asking = ask(sender, '/held');
  await once(server, 'request');
  const drained = drain(server);
  await expect.poll(() => server.listening).toBe(false);
  gate.emit('open');
  await asking;
  await sleep(20);
  await ask(sender);
  expect(answers(sender)).toBe(2);
  await drained;
});

test('a connection over which nothing comes is closed, and none is taken any more', async () => {
  const sender = await open();
  await ask(sender);
  const ended = once(sender.socket, 'end');
  const { port } = server.address() as AddressInfo;
  await drain(server);
  await ended;
  const [refused] = await once(openSender(port).socket, 'error');
  expect(refused).toMatchObject({ code: 'ECONNREFUSED' });
});

test('where nobody is connected it is over at once', async () => {
  const { socket } = await open();
  await once(server, 'connection');
  socket.destroy();
  const connections = () => new Promise((done) => server.getConnections((_, count) => done(count)));
  await expect.poll(connections).toBe(0);
  vi.mocked(sleep).mockClear();
  await drain(server);
  expect(sleep).not.toHaveBeenCalled();
});

/**
 * On a signal, connects this often and sends a request each; reports when all are connected, and
 * how many were answered.
 */
const CALLERS = `
  const { connect } = require('node:net');
  const { parentPort, workerData: { port, count, connected } } = require('node:worker_threads');
  let answered = 0;
  let ended = 0;
  Atomics.wait(connected, 1, 0);
  for (let nth = 0; nth < count; nth++) {
    const socket = connect(port, '127.0.0.1', () => {
      socket.write('GET / HTTP/1.1\\r\\nHost: x\\r\\n\\r\\n');
      Atomics.add(connected, 0, 1);
      Atomics.notify(connected, 0);
    });
    socket.on('data', () => answered++).on('error', () => undefined).on('close', () => {
      ended += 1;
      if (ended === count) parentPort.postMessage(answered);
    });
  }`;

/** Callers that connect from a separate thread, so that this one can be busy meanwhile. */
async function callers(count: number) {
  server = createHttpServer().on('request', answering);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const connected = new Int32Array(new SharedArrayBuffer(8));
  const worker = new Worker(CALLERS, { eval: true, workerData: { port, count, connected } });
  return {
    answered: once(worker, 'message').then(([answered]) => answered),
    /** Lets the callers connect but admits none until all have. */
    beBusy() {
      Atomics.store(connected, 1, 1);
      Atomics.notify(connected, 1);
      for (let now = 0; now < count; now = Atomics.load(connected, 0))
        Atomics.wait(connected, 0, now, 5_000);
    },
  };
}

test('who has connected while the process was busy is answered', async () => {
  const { answered, beBusy } = await callers(10);
  beBusy();
  await drain(server);
  expect(await answered).toBe(10);
});

test('so is who connects while it works on what the last look for connections brought', async () => {
  const { answered, beBusy } = await callers(10);
  const turn = vi.mocked(nextTurn).getMockImplementation() ?? nextTurn;
  onTestFinished(() => void vi.mocked(nextTurn).mockImplementation(turn));
  // A fake clock: a stalling machine must not use up the farewell.
  let nowMs = 0;
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => nowMs);
  onTestFinished(() => clock.mockRestore());
  let turns = 0;
  vi.mocked(nextTurn).mockImplementation(async <T>(value?: T) => {
    await turn();
    turns += 1;
    if (turns === 2) {
      beBusy();
      nowMs += 15;
    }
    return value as T;
  });
  await drain(server);
  expect(await answered).toBe(10);
});
