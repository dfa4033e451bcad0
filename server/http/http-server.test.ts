import { once } from 'node:events';
import type { RequestListener, Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { createHttpServer, forMethods, forPaths } from './http-server.ts';

let server: Server;
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

/** Answers what it was asked for, a little later. */
const echo: RequestListener = async (request, response) => {
  await sleep(20);
  response.end(`asked ${request.method} ${request.url}`);
};

/** All that comes back for bytes, until the server closes; `closes` ours after them. */
async function answerTo(bytes: string, { closes = false } = {}): Promise<string> {
  server = createHttpServer();
  server.on('request', forPaths(forMethods(echo, (url) => url === '/file.txt')));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  let text = '';
  socket.setEncoding('latin1').on('data', (data: string) => {
    text += data;
  });
  if (closes) socket.end(bytes);
  else socket.write(bytes);
  await once(socket, 'end');
  socket.destroy();
  return text;
}

const LAST = 'Host: x\r\nConnection: close\r\n\r\n';

test.each([
  [400, 'a target that is no path', `GET * HTTP/1.1\r\n${LAST}`],
  [400, 'the target of a whole server', `OPTIONS * HTTP/1.1\r\n${LAST}`],
  [400, 'a target of another scheme', `GET ftp://shop.example/a HTTP/1.1\r\n${LAST}`],
  [400, 'no Host', 'GET /a HTTP/1.1\r\nConnection: close\r\n\r\n'],
  [405, 'TRACE', `TRACE /a HTTP/1.1\r\n${LAST}`],
  [405, 'PROPFIND', `PROPFIND /a HTTP/1.1\r\n${LAST}`],
  [405, 'CONNECT', 'CONNECT shop.example:443 HTTP/1.1\r\nHost: x\r\n\r\n'],
  [417, 'another expectation', 'GET /a HTTP/1.1\r\nHost: x\r\nExpect: tea\r\n\r\n'],
])('%i in the envelope for %s', async (status, _what, bytes) => {
  const [head = '', body = ''] = (await answerTo(bytes)).split('\r\n\r\n');
  expect(head).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
  expect(head).toMatch(/\r\nx-request-id: req_\w+/i);
  if (status === 405) expect(head).toContain('llow: GET, HEAD, POST');
  expect(JSON.parse(body)).toMatchObject({ result: false, error: { error_code: status } });
});

test('of many headers the last one counts too', async () => {
  const many = 'a:\r\n'.repeat(5_000);
  expect(await answerTo(`GET /a HTTP/1.1\r\n${many}${LAST}`)).toContain('asked GET /a');
});

test.each(['POST', 'DELETE', 'OPTIONS'])(
  '405 for a file that is asked for by %s',
  async (method) => {
    const answer = await answerTo(`${method} /file.txt HTTP/1.1\r\n${LAST}`);
    expect(answer).toMatch(/^HTTP\/1\.1 405 /);
    expect(answer).toMatch(/\r\nallow: GET, HEAD\r\n/);
  },
);

test.each([
  ['/a?b=c', '/a?b=c'],
  ['http://shop.example/a?b=c', '/a?b=c'],
  ['HTTPS://shop.example:443/a//b', '/a//b'],
  ['http://shop.example', '/'],
  ['http://shop.example?b', '/?b'],
])('the target %s means %s', async (target, path) => {
  const text = await answerTo(`GET ${target} HTTP/1.1\r\n${LAST}`);
  expect(text).toContain(`asked GET ${path}`);
});

test('HTTP/1.0 needs no Host', async () => {
  expect(await answerTo('GET /a HTTP/1.0\r\n\r\n')).toContain('asked GET /a');
});

test('whoever closes their side after a request reads the answer', async () => {
  const text = await answerTo('GET /a HTTP/1.1\r\nHost: x\r\n\r\n', { closes: true });
  expect(text).toContain('asked GET /a');
});

test('whoever closes their side within a request is let go', async () => {
  const bytes = 'POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n{';
  expect(await answerTo(bytes, { closes: true })).toMatch(/^HTTP\/1\.1 400 /);
});

test('whoever closes their side without a request is let go', async () => {
  expect(await answerTo('', { closes: true })).toBe('');
});

test('time limits are looked at often enough to mean what they say', () => {
  server = createHttpServer();
  expect(server).toMatchObject({
    headersTimeout: 15_000,
    requestTimeout: 30_000,
    connectionsCheckingInterval: 1_000,
    timeout: 180_000,
  });
});

test('whoever takes nothing of an answer is cut off', async () => {
  server = createHttpServer();
  // The same by a shorter limit.
  server.timeout /= 1_000;
  server.on('request', (_request, response) => response.end(Buffer.alloc(16 * 1024 * 1024)));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const cut = once(server, 'connection').then(([socket]) => once(socket as Socket, 'close'));
  const reader = connect(port, '127.0.0.1').pause();
  reader.on('error', () => undefined);
  reader.write('GET /a HTTP/1.1\r\nHost: x\r\n\r\n');
  await cut;
  reader.destroy();
});

const UPLOAD = 'Host: x\r\nContent-Length: 99999999999\r\n\r\n';

test.each([
  [200, 'a GET', `GET /a HTTP/1.1\r\n${UPLOAD}`],
  [405, 'TRACE', `TRACE /a HTTP/1.1\r\n${UPLOAD}`],
  [400, 'chunks, and no Host', 'POST /a HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n'],
])('%i alone where the announced body never comes: %s', async (status, _what, bytes) => {
  const statuses = (await answerTo(bytes)).match(/HTTP\/1\.1 \d+/g);
  expect(statuses).toEqual([`HTTP/1.1 ${status}`]);
});

test('a CONNECT behind answers that are not read keeps no server from closing', async () => {
  server = createHttpServer();
  const connecting = once(server, 'connect');
  server.on('request', (_request, response) => response.end(Buffer.alloc(16 * 1024 * 1024)));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1').pause();
  socket.on('error', () => undefined);
  const get = 'GET /a HTTP/1.1\r\nHost: x\r\n\r\n';
  socket.write(`${get.repeat(3)}CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n`);
  await connecting;
  const closed = once(server, 'close');
  server.close();
  server.closeAllConnections();
  await closed;
  socket.destroy();
});

test('a CONNECT is refused under the id of the caller', async () => {
  const bytes = 'CONNECT x:1 HTTP/1.1\r\nHost: x\r\nX-Request-Id: mine-1\r\n\r\n';
  expect(await answerTo(bytes)).toContain('\r\nX-Request-Id: mine-1\r\n');
});
