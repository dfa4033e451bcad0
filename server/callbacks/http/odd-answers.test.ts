import { expect, test } from 'vitest';
import { claimedFor, openTcp, TEST_SECRET } from '../../testing/callbacks.ts';
import { classify } from '../outcome.ts';
import { createSender } from './send.ts';
import { signingKey } from './sign.ts';

const GOOD = 'HTTP/1.1 200 OK\r\n\r\n{"success":true}';
const LONG = `Content-Length: 100000\r\n\r\n${' '.repeat(100_000)}`;
const CLOSED = 'the connection was closed before the answer was complete';
const MALFORMED = 'the answer is not valid HTTP';
const UPGRADE = 'Upgrade: x\r\nConnection: upgrade\r\n\r\n';

test.each([
  ['none', '', CLOSED],
  ['no HTTP', 'SSH-2.0-x\r\n\r\n', MALFORMED],
  ['a status below 100', 'HTTP/1.1 099 Odd\r\nContent-Length: 0\r\n\r\n', MALFORMED],
  ['an unasked 101', `HTTP/1.1 101 Switching\r\n${UPGRADE}`, MALFORMED],
  ['a 101 to nothing', `HTTP/1.1 101 Switching\r\n\r\n${GOOD}`, MALFORMED],
  ['a 200 cut short', 'HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{}', `200, but ${CLOSED}`],
  ['a 200 too long', `HTTP/1.1 200 OK\r\n${LONG}`, '200, but answer longer than 64 KiB'],
  ['a 500 cut short', 'HTTP/1.1 500 Fault\r\nContent-Length: 9\r\n\r\n{}', 'answered 500, not 200'],
  ['a 500 too long', `HTTP/1.1 500 Fault\r\n${LONG}`, 'answered 500, not 200'],
  ['a 304', 'HTTP/1.1 304 Same\r\nContent-Length: 9\r\n\r\n', 'answered 304, not 200'],
  [
    'a redirect too long',
    `HTTP/1.1 302 Found\r\nLocation: /sign-in\r\n${LONG}`,
    'redirected (302) to /sign-in, which is not followed',
  ],
])('an odd answer is told for what it is: %s', async (_, answer, reason) => {
  const server = await openTcp((socket) => socket.once('data', () => socket.end(answer)));
  const sender = createSender({ network: 'local', clock: () => new Date() });
  const callback = claimedFor(`http://127.0.0.1:${server.port}/`);
  const outcome = classify(await sender.send(callback, [signingKey(TEST_SECRET)]));
  await sender.close();
  await server.close();
  expect(outcome).toEqual({ delivered: false, reason });
});
