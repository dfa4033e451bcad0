import { createSecretKey, type KeyObject } from 'node:crypto';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect } from 'vitest';
import { messageId, signature } from '#server/callbacks/http/sign.ts';
import { makeSample } from '#server/callbacks/tools/samples.ts';
import { tryEndpoint } from '#server/callbacks/tools/try-endpoint.ts';
import { grantTenant } from '#server/merchants/tenant.ts';
import { testContext } from '#server/testing/callbacks.ts';
import type { TestDatabase } from '#server/testing/database/database.ts';
import type { RestMerchant } from '#server/testing/rest.ts';

const PUBLIC_URL = 'http://pay';
/** This is beyond the tolerance of a signed time. */
const STALE_S = 310;

/**
 * Posts a sample to a local receiver, signed with each of the keys, `ageS` seconds ago.
 *
 * @returns the status of its answer
 */
async function postSigned(
  port: number,
  { keys, ageS = 0 }: { keys: readonly KeyObject[]; ageS?: number },
): Promise<number> {
  const now = new Date();
  const sample = makeSample('PAID', { publicUrl: PUBLIC_URL, now });
  const { body } = sample;
  const id = messageId(sample.id);
  const timestampS = Math.floor(now.getTime() / 1_000) - ageS;
  const headers = {
    'Content-Type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': String(timestampS),
    'webhook-signature': signature(keys, id, timestampS, body),
  };
  const url = `http://127.0.0.1:${port}/callback`;
  return (await fetch(url, { method: 'POST', headers, body: new Uint8Array(body) })).status;
}

/** Requests that anybody can send, but no HTTP library writes; the rest of each is usual. */
const OF_STRANGERS: { [what: string]: { headers?: { [name: string]: string }; body?: string } } = {
  'no body, and no length of one': {},
  'a body of no type': { headers: { 'content-length': '2' }, body: '{}' },
  'a time in digits that are no ASCII': { headers: { 'webhook-timestamp': '²' } },
  'a time longer than a number can be': { headers: { 'webhook-timestamp': '9'.repeat(400) } },
};

/**
 * Writes a POST byte by byte, with only the given headers.
 *
 * @returns the status of the answer; NaN if there is none
 */
async function postByHand(
  port: number,
  path: string,
  { headers = {}, body = '' }: { headers?: { [name: string]: string }; body?: string },
): Promise<number> {
  const all = {
    host: 'shop',
    connection: 'close',
    'webhook-id': 'msg_1',
    'webhook-timestamp': String(Math.floor(Date.now() / 1_000)),
    'webhook-signature': 'v1,AAAA',
    ...headers,
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  const socket = connect(port, '127.0.0.1');
  socket.write(`POST ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body}`, 'latin1');
  return Number(/^HTTP\/1\.\d (\d{3}) /.exec(await text(socket))?.[1]);
}

/** Sends a local receiver unsigned requests, in forms that few programs expect. */
export async function expectItTurnsStrangersAway(port: number, path: string): Promise<void> {
  for (const [what, request] of Object.entries(OF_STRANGERS)) {
    expect(await postByHand(port, path, request), what).toBe(401);
  }
}

/** No receiver should accept more than this from a stranger. */
const MUCH_BYTES = 2 * 1024 * 1024;

/** Announces a GiB to a local receiver and sends part: it refuses without waiting for more. */
export async function expectItReadsNoLongBody(port: number): Promise<void> {
  const socket = connect(port, '127.0.0.1');
  const headers = { host: 'shop', 'content-type': 'application/json', 'content-length': 2 ** 30 };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`POST /callback HTTP/1.1\r\n${lines.join('')}\r\n`);
  socket.write(Buffer.alloc(MUCH_BYTES, ' '));
  const turned = await new Promise<string>((resolve) => {
    socket.once('data', (answer) => resolve(String(answer).slice(0, 10)));
    // The receiver may close while some of the body is on its way.
    socket.once('error', () => resolve('closed')).once('close', () => resolve('closed'));
    setTimeout(resolve, 10_000, 'it waits for more').unref();
  });
  socket.destroy();
  expect(turned).toMatch(/^HTTP\/1\.\d 4|^closed$/);
}

/** The contents of a forgotten secret's variable; null stands for no variable. */
export const NO_SECRETS = [
  null,
  '',
  'whsec_',
  ' whsec_ ',
  '\twhsec_\n',
  '"whsec_"',
  'whsec_ whsec_',
];

// The others are the bytes that Node and PHP decode from `whsec_` as base64.
const KEYS_OF_ANYBODY = ['', 'c21b1e73', 'c21b1e'].map((hex) =>
  createSecretKey(Buffer.from(hex, 'hex')),
);

/** Whether a local receiver without a secret accepts signatures that anybody could make. */
export async function isForgeryTaken(port: number): Promise<boolean> {
  return (await postSigned(port, { keys: KEYS_OF_ANYBODY })) === 200;
}

/**
 * Sends a local receiver the gateway's own signed samples: one with a wrong signature, one with two
 * signatures as during a rotation, one signed too long ago, and strangers' requests.
 */
export async function expectItKeepsTheContract(
  { database, merchant }: { database: TestDatabase; merchant: RestMerchant },
  port: number,
): Promise<void> {
  const { sender, keys } = testContext(database.pool);
  const tenant = grantTenant(merchant.id, 'sandbox');
  const now = new Date();
  const report = await tryEndpoint(tenant, {
    sender,
    keys,
    url: `http://127.0.0.1:${port}/callback`,
    publicUrl: PUBLIC_URL,
    now,
    checkSignature: true,
  });
  await sender.close();
  expect(report.samples.map(({ reason }) => reason)).toEqual([null, null, null]);
  expect(report).toMatchObject({ keepsContract: true, refusesWrongSignature: 'kept' });

  const own = await keys.keysOf(tenant.merchantId, tenant.environment, now);
  expect(await postSigned(port, { keys: [createSecretKey(Buffer.alloc(32)), ...own] })).toBe(200);
  expect(await postSigned(port, { keys: own, ageS: STALE_S })).toBe(401);
  expect(await postSigned(port, { keys: own, ageS: -STALE_S })).toBe(401);
  await expectItTurnsStrangersAway(port, '/callback');
}
