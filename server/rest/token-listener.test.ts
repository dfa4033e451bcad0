import { pino } from 'pino';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../testing/database/database.ts';
import { type SilentProxy, startSilentProxy } from '../testing/silent-proxy.ts';
import { type KnownToken, TokenCache } from './token-cache.ts';
import { TokenListener } from './token-listener.ts';

const NOW_MS = Date.parse('2026-11-21T12:00:00.000Z');
const LOG = pino({ level: 'silent' });
const HEARTBEATS = { heartbeatEveryMs: 50, heartbeatTimeoutMs: 1_000 };

let database: TestDatabase;
let network: SilentProxy;
let cache: TokenCache;
let listener: TokenListener;

beforeEach(async () => {
  database = await createTestDatabase(1);
  network = await startSilentProxy(database.url);
  cache = new TokenCache();
});

afterEach(async () => {
  await listener.stop();
  await network.close();
  await database.drop();
});

/** Whether a newly looked-up token is cached. */
function keepsTokens(): boolean {
  const tenant = { merchantId: 'mer_1', environment: 'sandbox' } as KnownToken['tenant'];
  cache.put(
    'hash',
    { tokenId: 'tok_1', tenant, expiresAtMs: null, scopes: [], networks: [] },
    cache.generation,
    NOW_MS,
  );
  return cache.get('hash', NOW_MS) !== null;
}

test('a change drops what is kept, and nothing is kept after the end', async () => {
  listener = new TokenListener(network.url, cache, LOG, HEARTBEATS);
  await listener.ready;
  expect(keepsTokens()).toBe(true);
  await database.pool.query('NOTIFY token_changed');
  await expect.poll(() => cache.get('hash', NOW_MS)).toBeNull();
  expect(keepsTokens()).toBe(true);
  await listener.stop();
  expect(keepsTokens()).toBe(false);
});

test('a connection that went silent is given up, and changes arrive by another', async () => {
  listener = new TokenListener(network.url, cache, LOG, HEARTBEATS);
  await listener.ready;
  const deaf = vi.spyOn(cache, 'deaf');
  const listening = vi.spyOn(cache, 'listening');
  network.silence();
  await expect.poll(() => deaf).toHaveBeenCalledTimes(1);
  await expect.poll(() => listening).toHaveBeenCalledTimes(1);
  expect(keepsTokens()).toBe(true);
  await database.pool.query('NOTIFY token_changed');
  await expect.poll(() => cache.get('hash', NOW_MS)).toBeNull();
});

test('a loss is told once, however often it is tried meanwhile, and its end once', async () => {
  const told: string[] = [];
  const log = pino({ level: 'warn' }, { write: (line: string) => told.push(JSON.parse(line).msg) });
  listener = new TokenListener(network.url, cache, log, HEARTBEATS);
  await listener.ready;
  const lost = 'the token listener lost its connection; tokens are not cached';
  const back = 'the token listener is connected again; tokens are cached';
  for (const outage of [1, 2]) {
    const deaf = vi.spyOn(cache, 'deaf');
    network.cut(true);
    await expect.poll(() => deaf.mock.calls.length).toBeGreaterThanOrEqual(3);
    expect(told).toEqual(outage === 1 ? [lost] : [lost, back, lost]);
    network.cut(false);
    await expect.poll(() => keepsTokens()).toBe(true);
    await database.pool.query('NOTIFY token_changed');
    deaf.mockRestore();
  }
  await expect.poll(() => cache.get('hash', NOW_MS)).toBeNull();
  expect(told).toEqual([lost, back, lost, back]);
});
