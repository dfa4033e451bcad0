import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { log } from '../observability/log.ts';
import { openSender } from '../testing/raw-sender.ts';
import { createHttpServer, forMethods, forPaths } from './http-server.ts';
import { logRefusal } from './refusal-log.ts';

type Line = { requestId: string; path?: string; status: number; unlogged?: number };

let lines: Line[];
beforeEach(() => {
  lines = [];
  vi.spyOn(log(), 'isLevelEnabled').mockReturnValue(true);
  vi.spyOn(log(), 'info').mockImplementation((line: unknown) => void lines.push(line as Line));
});
afterEach(() => vi.restoreAllMocks());

const whole: RequestListener = (request, response) => {
  request.resume().on('end', () => response.end());
};

/** All that comes back for bytes, until the server closes. */
async function answerTo(bytes: string): Promise<string> {
  const server = createHttpServer();
  server.on('request', forPaths(forMethods(whole, () => false)));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { socket, answer } = openSender((server.address() as AddressInfo).port);
  socket.write(bytes);
  await once(socket, 'close');
  server.close();
  return answer();
}

const LAST = 'Connection: close\r\n\r\n';
const MINE = `Host: x\r\nX-Request-Id: mine-1\r\n${LAST}`;
const CHUNKS = 'Host: x\r\nTransfer-Encoding: chunked\r\n\r\n';

test.each([
  ['no Host', `GET /api/a?token=b HTTP/1.1\r\n${LAST}`, { status: 400, path: '/api/a' }],
  ['an unknown method', `TRACE /api/a HTTP/1.1\r\n${MINE}`, { status: 405, path: '/api/a' }],
  ['a page, whose path may be a secret', `TRACE /reset/abc HTTP/1.1\r\n${MINE}`, { status: 405 }],
  ['a password', `GET ftp://a:b@x/api/ HTTP/1.1\r\n${MINE}`, { status: 400 }],
  ['CONNECT', `CONNECT x:1 HTTP/1.1\r\n${MINE}`, { status: 405 }],
  ['tea', 'GET /a HTTP/1.1\r\nHost: x\r\nExpect: tea\r\n\r\n', { status: 417 }],
  ['too large a head', `GET /${'a'.repeat(70_000)} HTTP/1.1\r\nHost: x\r\n\r\n`, { status: 431 }],
  ['rubbish', 'rubbish\r\n\r\n', { status: 400 }],
  ['chunks', `POST /api/a HTTP/1.1\r\n${CHUNKS}none\r\n`, { status: 400, path: '/api/a' }],
])(
  'what is refused for %s stands in the log under the id of its answer',
  async (_, bytes, told) => {
    const text = await answerTo(bytes);
    expect(text).toMatch(new RegExp(`^HTTP/1\\.1 ${told.status} `));
    const [, requestId] = /\r\nX-Request-Id: (\S+)/i.exec(text) ?? [];
    expect(lines.map(({ requestId, path, status }) => ({ requestId, path, status }))).toEqual([
      { requestId, path: undefined, ...told },
    ]);
  },
);

test('of a flood the log has a part, and how many it was', () => {
  const requestId = 'req_1';
  const beganMs = performance.now() + 60_000;
  // A minute long a thousand a second.
  for (let ms = 0; ms < 60_000; ms++)
    logRefusal({ requestId, status: 400 }, undefined, beganMs + ms);
  expect(lines.length).toBeGreaterThan(600);
  expect(lines.length).toBeLessThan(750);
  logRefusal({ requestId, status: 400 }, undefined, beganMs + 70_000);
  const unlogged = lines.reduce((sum, line) => sum + (line.unlogged ?? 0), 0);
  expect(lines.length + unlogged).toBe(60_001);
});
