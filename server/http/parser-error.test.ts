import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { answerParserError } from './parser-error.ts';

let server: Server;
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

/** All that comes back for bytes sent to a server with this listener; `later` once it has begun. */
async function answerTo(
  bytes: string,
  { listener, later }: { listener?: RequestListener; later?: string } = {},
) {
  server = createServer({ maxHeaderSize: 1_024 }, listener);
  server.on('clientError', answerParserError);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  let text = '';
  socket.on('data', (data: Buffer) => {
    text += data;
  });
  socket.write(bytes);
  if (later) socket.once('data', () => socket.write(later));
  await once(socket, 'close');
  return text;
}

test.each([
  [431, `GET /${'a'.repeat(2_000)} HTTP/1.1\r\nHost: x\r\n\r\n`],
  [400, 'rubbish\r\n\r\n'],
  [400, 'POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nno length\r\n'],
])('%i in the envelope, with an X-Request-Id, and the connection closes', async (status, bytes) => {
  const [head = '', body = ''] = (await answerTo(bytes)).split('\r\n\r\n');
  expect(head).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
  expect(head).toMatch(/\r\nX-Request-Id: req_\w+/);
  expect(head).toContain(`Content-Length: ${body.length}`);
  expect(JSON.parse(body)).toMatchObject({ result: false, error: { error_code: status } });
});

const BROKEN_BODY = 'Transfer-Encoding: chunked\r\n\r\nno length\r\n';

test('a refusal within a body carries the id of the caller', async () => {
  const text = await answerTo(
    `POST / HTTP/1.1\r\nHost: x\r\nX-Request-Id: mine-1\r\n${BROKEN_BODY}`,
  );
  expect(text).toMatch(/^HTTP\/1\.1 400 /);
  expect(text).toContain('\r\nX-Request-Id: mine-1\r\n');
});

test('a refusal of what is no request does not carry the id of the request before', async () => {
  const head = 'GET / HTTP/1.1\r\nHost: x\r\nX-Request-Id: mine-1\r\n\r\n';
  const text = await answerTo(`${head}rubbish\r\n\r\n`, {
    listener: (_, response) => setTimeout(() => response.end('read'), 50),
  });
  expect(text).toMatch(/HTTP\/1\.1 400 /);
  expect(text).not.toContain('mine-1');
});

test('what was told that it came too late is not carried out any more', async () => {
  server = createServer({ requestTimeout: 200, connectionsCheckingInterval: 50 }, (request) => {
    request.resume().on('end', () => ended.push(request.complete));
  });
  const ended: boolean[] = [];
  server.on('clientError', answerParserError);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const accepted = once(server, 'connection');
  const { port } = server.address() as AddressInfo;
  // It keeps its side open, as a program may.
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  socket.on('error', () => undefined);
  const [ours] = (await accepted) as [Socket];
  const closed = once(ours, 'close');
  socket.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\n\r\nha');
  const [data] = (await once(socket, 'data')) as [Buffer];
  expect(data.toString()).toMatch(/^HTTP\/1\.1 408 /);
  socket.write('lf');
  await closed;
  expect(ended).toEqual([]);
  socket.destroy();
});

test('nothing is written into an answer that has begun', async () => {
  const text = await answerTo('POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n', {
    listener: (_, response) => response.writeHead(200).write('begun'),
    later: 'no length\r\n',
  });
  expect(text).toMatch(/^HTTP\/1\.1 200 /);
  expect(text).not.toContain('error_code');
});

const CREATE = 'POST /create HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n';

test.each([
  ['bytes that are no request', `${CREATE}\r\n{}rubbish\r\n\r\n`, ['200', '400']],
  ['bytes after the last request', `${CREATE}Connection: close\r\n\r\n{}xx`, ['200']],
  ['a broken request', `${CREATE}\r\n{}POST / HTTP/1.1\r\nHo st: x\r\n\r\n`, ['200', '400']],
  [
    'two requests and a broken one',
    `${`${CREATE}\r\n{}`.repeat(2)}POST / HTTP/1.1\r\nHo st: x\r\n\r\n`,
    ['200', '200', '400'],
  ],
])('a request that came whole is answered before %s', async (_what, bytes, statuses) => {
  const listener: RequestListener = (request, response) => {
    request.resume().on('end', () => setTimeout(() => response.end('created'), 50));
  };
  const text = await answerTo(bytes, { listener });
  expect(Array.from(text.matchAll(/HTTP\/1\.1 (\d+)/g), ([, status]) => status)).toEqual(statuses);
});

test('whoever goes on with rubbish still reads the answer', async () => {
  const text = await answerTo(`${CREATE}\r\n{}rubbish\r\n\r\n`, {
    listener: (request, response) => {
      request.resume();
      response.write('begun');
      setTimeout(() => response.end('created'), 100);
    },
    later: 'more rubbish\r\n\r\n',
  });
  expect(text).toContain('created');
  expect(text).toMatch(/HTTP\/1\.1 400 /);
});
