import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { afterEach, expect, test } from 'vitest';
import { claimedFor, openShop, type Shop, TEST_SECRET } from '../../testing/callbacks.ts';
import { classify } from '../outcome.ts';
import type { Observation } from '../types.ts';
import { createSender, type Sender } from './send.ts';
import { signingKey } from './sign.ts';

const GOOD = '{"success":true}';
const LIMIT_BYTES = 64 * 1024;

let shop: Shop | null = null;
let sender: Sender | null = null;

afterEach(async () => {
  await sender?.close();
  await shop?.close();
});

/** The observed answer of a merchant's server with this Content-Encoding. */
async function answered(
  coding: string | string[],
  body: Buffer | string,
  httpStatus = 200,
): Promise<Observation> {
  shop = await openShop((response) => {
    response.setHeader('content-encoding', coding).writeHead(httpStatus).end(body);
  });
  sender = createSender({ network: 'local', clock: () => new Date() });
  return sender.send(claimedFor(shop.url), [signingKey(TEST_SECRET)]);
}

const reasonOf = (observation: Observation) => {
  const outcome = classify(observation);
  return outcome.delivered ? 'delivered' : outcome.reason;
};

test.each([
  ['gzip', gzipSync(GOOD)],
  ['X-GZip', gzipSync(GOOD)],
  ['deflate', deflateSync(GOOD)],
  ['deflate', deflateRawSync(GOOD)],
  ['identity', Buffer.from(GOOD)],
])('an answer in %s is decoded, judged and kept as it reads', async (coding, body) => {
  const observation = await answered(coding, body);
  expect(reasonOf(observation)).toBe('delivered');
  expect(observation.body.toString()).toBe(GOOD);
});

test('what another status says is kept as it reads as well', async () => {
  const observation = await answered('gzip', gzipSync('out of order'), 500);
  expect(reasonOf(observation)).toBe('answered 500, not 200');
  expect(observation.body.toString()).toBe('out of order');
});

test.each([
  ['gzip', gzipSync],
  ['deflate', deflateSync],
])('in %s the limit is that of the decoded answer', async (coding, encode) => {
  const whole = await answered(coding, encode(Buffer.from(GOOD.padEnd(LIMIT_BYTES))));
  expect(reasonOf(whole)).toBe('delivered');
  await sender?.close();
  await shop?.close();
  // The answer decodes to a thousand times its size.
  const sent = encode(Buffer.alloc(32 * 1024 * 1024, 0x20));
  const bomb = await answered(coding, sent);
  expect(reasonOf(bomb)).toBe('200, but answer longer than 64 KiB');
  expect(bomb.body).toEqual(sent);
});

test.each([
  ['one whose decoding takes long', 'br', brotliCompressSync(GOOD)],
  ['one that nobody knows', 'zstd', Buffer.from('28b52ffd', 'hex')],
  ['two, one over the other', 'gzip, br', brotliCompressSync(gzipSync(GOOD))],
  ['one header for each of two', ['gzip', 'gzip'], gzipSync(gzipSync(GOOD))],
  ['one that it is not in', 'gzip', Buffer.from('<html>')],
  ['one that breaks off', 'gzip', gzipSync(GOOD).subarray(0, 12)],
])('a coding that cannot be decoded is the reason: %s', async (_, coding, body) => {
  const observation = await answered(coding, body);
  expect(reasonOf(observation)).toBe(
    '200, but the answer was not JSON, and its Content-Encoding could not be decoded',
  );
  expect(observation.body).toEqual(body);
});

test.each(['utf-8', 'gzip', ''])('JSON that is not coded counts beside “%s”', async (coding) => {
  expect(reasonOf(await answered(coding, GOOD))).toBe('delivered');
});

test('an empty answer is an empty one in any coding', async () => {
  expect(reasonOf(await answered('gzip', ''))).toBe('200, but the answer was empty');
});
