import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { Agent } from 'undici';
import { afterEach, expect, test } from 'vitest';
import { type ResolvedAddress, resolveByNameServers, vettedConnector } from './connector.ts';
import { failureOf } from './send-failure.ts';

const closers: (() => unknown)[] = [];

afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

// It accepts nothing while it sleeps. With a backlog of one, the kernel holds two connections and
// is silent to the next, whose client retries after a second.
const SLEEPER = `
  const { createServer } = require('node:http');
  const { parentPort, workerData } = require('node:worker_threads');
  const server = createServer((request, response) => response.end('here'));
  server.listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => {
    parentPort.postMessage(server.address().port);
    Atomics.wait(workerData, 0, 0);
  });`;

/** A server on 127.0.0.1 that accepts nothing until it wakes. */
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

/** Requests `http://shop.example` there; `onAsked` is called once the name was found. */
function ask(port: number, found: ResolvedAddress[], onAsked: () => void) {
  const resolve = () => {
    setImmediate(onAsked);
    return Promise.resolve(found);
  };
  const limits = { timeoutMs: 10_000, readLimitBytes: 1_024 };
  const agent = new Agent({ connect: vettedConnector('local', { resolve, ...limits }) });
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

const A = 1;
const AAAA = 28;
const HEADER_BYTES = 12;
const ADDRESSES: Readonly<Record<number, Buffer>> = {
  [A]: Buffer.from([203, 0, 113, 7]),
  [AAAA]: Buffer.from('20010db8000000000000000000000007', 'hex'),
};

/** The answer to a query of one name, by RFC 1035: header, the repeated question, one address. */
function answerTo(question: Buffer, type: number, responseCode: number): Buffer {
  const header = Buffer.from(question.subarray(0, HEADER_BYTES));
  header.writeUInt16BE(0x8180 + responseCode, 2);
  header.writeUInt16BE(1, 6);
  header.writeUInt32BE(0, 8);
  const asked = question.subarray(HEADER_BYTES, question.indexOf(0, HEADER_BYTES) + 5);
  const address = ADDRESSES[type] ?? Buffer.alloc(0);
  const record = Buffer.alloc(12);
  record.writeUInt16BE(0xc00c, 0);
  record.writeUInt16BE(type, 2);
  record.writeUInt16BE(1, 4);
  record.writeUInt16BE(address.length, 10);
  return Buffer.concat([header, asked, record, address]);
}

/** A name server; `delayOf` gives the delay of its answer in milliseconds, or none for ever. */
async function openNameServer(
  delayOf: (type: number, name: string) => number | null,
  responseCode = 0,
) {
  const server = createSocket('udp4');
  server.on('message', (question, from) => {
    const nameEnd = question.indexOf(0, HEADER_BYTES);
    const type = question.readUInt16BE(nameEnd + 1);
    const delayMs = delayOf(type, question.toString('latin1', HEADER_BYTES + 1, nameEnd));
    if (delayMs === null) return;
    const say = () => server.send(answerTo(question, type, responseCode), from.port, from.address);
    setTimeout(say, delayMs).unref();
  });
  server.bind(0, '127.0.0.1');
  await once(server, 'listening');
  closers.push(() => server.close());
  return `127.0.0.1:${server.address().port}`;
}

async function nameServer(
  delayOf: (type: number, name: string) => number | null,
  limitMs?: number,
) {
  const server = await openNameServer(delayOf);
  return resolveByNameServers(() => [server], limitMs);
}

/** Longer than any stall of the machine. */
const PATIENCE_MS = 25_000;

test('finds the addresses of both families', async () => {
  const resolve = await nameServer(() => 0);
  await expect(resolve('shop.example')).resolves.toEqual([
    { address: '203.0.113.7', family: 4 },
    { address: '2001:db8::7', family: 6 },
  ]);
});

test('a name whose IPv6 is never told is found by its IPv4, long before the question is given up', async () => {
  let isOver = false;
  const resolve = await nameServer((type) => (type === A ? 0 : null));
  const asked = resolve('shop.example');
  // The resolver itself would ask for four seconds.
  const over = sleep(3_000, undefined, { ref: false }).then(() => {
    isOver = true;
  });
  await Promise.race([asked, over]);
  expect(isOver).toBe(false);
  await expect(asked).resolves.toEqual([{ address: '203.0.113.7', family: 4 }]);
});

test('a name that is told late is found, though its server was quick before', async () => {
  const resolve = await nameServer(
    (_type, name) => (name.startsWith('far') ? 1_500 : 0),
    PATIENCE_MS,
  );
  for (let nth = 0; nth < 20; nth += 1) await resolve(`near${nth}.example`);
  await expect(resolve('far.example')).resolves.toContainEqual({
    address: '203.0.113.7',
    family: 4,
  });
});

test('a name server that is silent is not waited for again', async () => {
  let asked = 0;
  const silent = await openNameServer(() => {
    asked += 1;
    return null;
  });
  const quick = await openNameServer(() => 0);
  const resolve = resolveByNameServers(() => [silent, quick], PATIENCE_MS);
  await resolve('first.example');
  const askedFirst = asked;
  expect(askedFirst).toBeGreaterThan(0);
  for (let nth = 0; nth < 5; nth += 1) await resolve(`later${nth}.example`);
  expect(asked).toBe(askedFirst);
});

/** A port that refuses connections. */
async function closedPort(): Promise<string> {
  const gone = createSocket('udp4').bind(0, '127.0.0.1');
  await once(gone, 'listening');
  const { port } = gone.address();
  gone.close();
  await once(gone, 'close');
  return `127.0.0.1:${port}`;
}

test.each([
  ['are gone', closedPort],
  ['fail', () => openNameServer(() => 0, 2)],
  ['refuse', () => openNameServer(() => 0, 5)],
])(
  'where the machine has other name servers and the old ones %s, the others are asked',
  async (_, old) => {
    let server = await old();
    const resolve = resolveByNameServers(() => [server]);
    const error: unknown = await resolve('first.example').catch((thrown: unknown) => thrown);
    expect(failureOf(error)).toBe('name_lookup_failed');
    server = await openNameServer(() => 0);
    await expect(resolve('later.example')).resolves.toHaveLength(2);
  },
);

test('a name that nobody tells could not be looked up', async () => {
  const resolve = await nameServer(() => null);
  const error: unknown = await resolve('shop.example').catch((thrown: unknown) => thrown);
  expect(failureOf(error)).toBe('name_lookup_failed');
}, 20_000);

test.each([
  ['a format error', 1],
  ['a failure', 2],
  ['that it does not do this', 4],
  ['a refusal', 5],
])('a name whose server answers with %s could not be looked up', async (_, responseCode) => {
  const server = await openNameServer(() => 0, responseCode);
  const resolve = resolveByNameServers(() => [server]);
  const error: unknown = await resolve('shop.example').catch((thrown: unknown) => thrown);
  expect(failureOf(error)).toBe('name_lookup_failed');
});
