import { NextRequest } from 'next/server.js';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { forgetSettings } from '#server/testing/settings.ts';
import { POST } from './route.ts';

const LARGEST = 64 * 1024;
/** So many have an address's share of 8 MiB: of each the first 16 KiB do not count, and a chunk does for 512 bytes more. */
const MOST = 168;

beforeAll(() => {
  forgetSettings();
  vi.stubEnv('JOBS_DRIVER', 'inngest');
  vi.stubEnv('DATABASE_URL', 'postgresql://127.0.0.1:9/nobody');
  vi.stubEnv('INNGEST_SIGNING_KEY', `signkey-test-${'ab'.repeat(32)}`);
  vi.stubEnv('INNGEST_EVENT_KEY', 'test');
});
afterAll(() => {
  vi.unstubAllEnvs();
  forgetSettings();
});

/** Sends so many bytes that are no JSON; `end` sends the last one, with which they are answered. */
async function send(bytes: number) {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const url = 'http://localhost:3000/api/inngest';
  const answer = POST(new NextRequest(url, { method: 'POST', body: readable, duplex: 'half' }));
  const writer = writable.getWriter();
  await writer.write(Buffer.alloc(bytes - 1, 'x'));
  const end = async (): Promise<number> => {
    await writer.write(Buffer.from('x'));
    await writer.close();
    return (await answer).status;
  };
  return { answer, end };
}

test('503 for a call of an address whose others hold its share, until they are answered', async () => {
  const others = await Promise.all(Array.from({ length: MOST }, () => send(LARGEST)));
  const refused = await (await send(LARGEST)).answer;
  expect(refused.status).toBe(503);
  expect(refused.headers.get('retry-after')).toBe('1');
  expect(await (await send(10_000)).end()).toBe(400);
  for (const { end } of others) expect(await end()).toBe(400);
  expect(await (await send(LARGEST)).end()).toBe(400);
});
