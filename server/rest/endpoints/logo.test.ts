import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { closePool } from '../../db/pool.ts';
import { saveLogo } from '../../merchants/settings.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/database/database.ts';
import { createMerchantFixture } from '../../testing/factories.ts';
import { answerLogo } from './logo.ts';

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAIAAAABCAYAAAD0In+KAAAAEUlEQVR4nGP4z8DwHwwZ/v8HAB32BPx3U9M+AAAAAElFTkSuQmCC',
  'base64',
);
const UNKNOWN = `${'0'.repeat(32)}.png`;

let database: TestDatabase;
let merchantId: string;
let file: string;

beforeAll(async () => {
  database = await createTestDatabase();
  vi.stubEnv('DATABASE_URL', database.url);
  const merchant = await createMerchantFixture(database.pool);
  merchantId = merchant.id;
  const url = await saveLogo(database.pool, merchant.sandbox.tenant, {
    bytes: PNG,
    actor: { type: 'staff', id: 'usr_1', label: 'owner@shop.example' },
    now: new Date('2026-11-21T12:00:00.000Z'),
  });
  file = url?.split('/').at(-1) ?? '';
});
afterAll(async () => {
  await closePool();
  vi.unstubAllEnvs();
  await database.drop();
});

test('a logo is a picture and nothing else, for ever under this address', async () => {
  const answer = await answerLogo(merchantId, file);
  expect(answer.status).toBe(200);
  expect(Buffer.from(await answer.arrayBuffer()).equals(PNG)).toBe(true);
  expect(Object.fromEntries(answer.headers)).toEqual({
    'content-type': 'image/png',
    'cache-control': 'public, max-age=31536000, immutable',
    'content-security-policy': "default-src 'none'; sandbox",
    'cross-origin-resource-policy': 'same-origin',
  });
});

test.each([
  ['another hash', () => [merchantId, UNKNOWN] as const],
  ['another merchant', () => ['mer_none', file] as const],
  ['no hash', () => [merchantId, 'logo.png'] as const],
  ['another ending', () => [merchantId, file.replace('.png', '.svg')] as const],
  ['a NUL in the name', () => ['mer\0', file] as const],
])('%s is 404, and not kept', async (_, asked) => {
  const answer = await answerLogo(...asked());
  expect(answer.status).toBe(404);
  expect(answer.headers.get('cache-control')).toBe('no-store');
});
