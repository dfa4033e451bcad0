import type { Socket } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { claimedFor, openTcp, TEST_SECRET } from '../../testing/callbacks.ts';
import { classify } from '../outcome.ts';
import { createSender } from './send.ts';
import { signingKey } from './sign.ts';

const KEYS = [signingKey(TEST_SECRET)];
const closers: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

/** Sends `count` callbacks one after the other, and returns each outcome. */
async function reasonsFor(answer: (socket: Socket) => void, count: number): Promise<string[]> {
  const server = await openTcp((socket) => socket.on('data', () => answer(socket)));
  const sender = createSender({ network: 'local', clock: () => new Date() });
  closers.push(server.close, sender.close);
  const reasons: string[] = [];
  for (let nth = 1; nth <= count; nth += 1) {
    const observation = await sender.send(claimedFor(`http://127.0.0.1:${server.port}/`), KEYS);
    const outcome = classify(observation);
    reasons.push(outcome.delivered ? 'delivered' : outcome.reason);
  }
  return reasons;
}

/** Writes `begin`, and then `again` as long as somebody reads. */
function pour(socket: Socket, begin: string, again: string): void {
  const block = Buffer.from(again.repeat(Math.ceil(65_536 / again.length)));
  const go = () => {
    while (!socket.destroyed && socket.write(block));
  };
  socket.write(begin);
  socket.on('drain', go);
  go();
}

const CHUNKED = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n';

describe('what is read for one request', () => {
  test.each([
    ['interim answers', '', 'HTTP/1.1 102 Processing\r\n\r\n', ''],
    [
      'interim answers of many headers',
      '',
      `HTTP/1.1 103 Early\r\n${'a:\r\n'.repeat(60_000)}\r\n`,
      '',
    ],
    [
      'interim answers of long headers',
      '',
      `HTTP/1.1 103 Early\r\nA: ${'x'.repeat(60_000)}\r\n\r\n`,
      '',
    ],
    ['blank lines', '', '\r\n', ''],
    ['an extension of a chunk', `${CHUNKED}1;`, 'x', '200, but '],
    ['extensions of chunks', CHUNKED, `1;${'x'.repeat(1_000)}\r\n \r\n`, '200, but '],
  ])('%s without end: read no further than to the limit', async (_, begin, again, status) => {
    const [reason] = await reasonsFor((socket) => pour(socket, begin, again), 1);
    expect(reason).toBe(`${status}answer longer than 64 KiB`);
  });

  test('the longest answer with the most headers fits, each time anew on one connection', async () => {
    const head = `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nX-Trace: ${'t'.repeat(65_000)}\r\n\r\n`;
    const body = '{"success":true}'.padEnd(64 * 1024);
    const chunks = body.replace(/.{16}/g, '10\r\n$&\r\n');
    const sockets = new Set<Socket>();
    const reasons = await reasonsFor((socket) => {
      sockets.add(socket);
      socket.write(`${head}${chunks}0\r\n\r\n`);
    }, 6);
    expect(reasons).toEqual(Array.from({ length: 6 }, () => 'delivered'));
    // A connection is free again a moment after its answer has been passed on.
    expect(sockets.size).toBeLessThanOrEqual(2);
  });
});
