import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openSender } from '../testing/raw-sender.ts';
import { MAX_FORM_BYTES, refuseLongBody } from './page-requests.ts';

const CREATE = '/api/trpc/sandbox/paymentLinks.create';

let server: Server;
beforeAll(async () => {
  server = createServer((request, response) => {
    if (!refuseLongBody(request, response)) response.end('a page');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

/** The answer that arrives before any of the body is sent. */
async function answerTo(path: string, length: string): Promise<string> {
  const { socket, answer } = openSender((server.address() as AddressInfo).port);
  socket.write(`POST ${path} HTTP/1.1\r\nhost: x\r\n${length}\r\n\r\n`);
  await expect.poll(answer).toMatch(/\r\n\r\n./s);
  socket.destroy();
  return answer();
}

test.each([
  ['/pay/inv_1', 64 * 1024],
  ['/api/auth/callback/credentials', 64 * 1024],
  ['/api/trpc/sandbox/account.current', 64 * 1024],
  [`/pay/inv_1?${CREATE}`, 64 * 1024],
  [CREATE, MAX_FORM_BYTES],
])('a body for %s has %i bytes at most, or 413 before it comes', async (path, most) => {
  expect(await answerTo(path, `content-length: ${most}`)).toMatch(/ 200 /);
  expect(await answerTo(path, `content-length: ${most + 1}`)).toMatch(
    / 413 .*larger than \d+ KiB/s,
  );
});

test('411 for a body that does not tell its length', async () => {
  expect(await answerTo('/pay/inv_1', 'transfer-encoding: chunked')).toMatch(/ 411 /);
});
