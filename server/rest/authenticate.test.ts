import { expect, test } from 'vitest';
import type { Queryable } from '../db/pool.ts';
import type { Environment } from '../merchants/types.ts';
import { log } from '../observability/log.ts';
import { Gate } from './authenticate.ts';
import type { RestRequest } from './types.ts';

const NOW = new Date('2026-11-21T12:00:00.000Z');
const LIMITS = { rateLimitPerSecond: 200, rateLimitBurst: 1_000 };
const FOUND = {
  id: 'tok_1',
  merchant_id: 'mer_1',
  environment: 'sandbox',
  expires_at: null,
  scopes: [],
  networks: [],
};

/** A gate before a fake database: the test supplies each look-up's answer. */
function gateWith(failedAuthPerMinute = 2) {
  const lookUps: ((answer: boolean | Error) => void)[] = [];
  const query = () =>
    new Promise((resolve, reject) => {
      lookUps.push((answer) => {
        if (answer instanceof Error) reject(answer);
        else resolve({ rows: answer ? [FOUND] : [] });
      });
    });
  const limits = { ...LIMITS, failedAuthPerMinute };
  const gate = new Gate({ query } as unknown as Queryable, limits, log());
  gate.cache.listening();
  const come = async (
    token = 'gw_sandbox_x',
    remoteAddress = '192.0.2.1',
    { merchant = 'mer_1', environment = 'sandbox' as Environment } = {},
  ) => {
    const headers: Record<string, string> = {
      authorization: `Bearer ${token}`,
      'x-merchant': merchant,
    };
    const header = (name: string) => headers[name] ?? null;
    const request = { header, remoteAddress } as unknown as RestRequest;
    const result = await gate.authenticate(request, environment, NOW);
    return result.ok ? 200 : result.answer.status;
  };
  return { gate, come, lookUps };
}

/** How often each status was returned. */
function counted(statuses: readonly number[]): Record<number, number> {
  const counts: Record<number, number> = {};
  for (const status of statuses) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

test.each([
  ['in the other environment', { environment: 'production' as const }],
  ['for another merchant', { merchant: 'mer_2' }],
])('a token is a wrong one %s, be it looked up or known already', async (_, place) => {
  const { come, lookUps } = gateWith(10);
  const lookedUp = come('gw_sandbox_x', '192.0.2.1', place);
  lookUps[0]?.(true);
  expect(await lookedUp).toBe(401);
  expect(await come('gw_sandbox_x', '192.0.2.1', place)).toBe(401);
  expect(await come()).toBe(200);
  expect(lookUps).toHaveLength(1);
});

test('who comes after a token was deactivated is not let in by a look-up from before', async () => {
  const { gate, come, lookUps } = gateWith();
  const before = come();
  gate.cache.clear();
  const after = come();
  expect(lookUps).toHaveLength(2);
  lookUps[0]?.(true);
  lookUps[1]?.(false);
  expect([await before, await after]).toEqual([200, 401]);
});

test('a token that is good no more is counted like any other guess', async () => {
  const { gate, come, lookUps } = gateWith();
  const good = come();
  lookUps[0]?.(true);
  expect(await good).toBe(200);
  gate.cache.clear();
  const ended = come();
  lookUps[1]?.(false);
  expect(await ended).toBe(401);
  const guess = come('gw_sandbox_guess');
  lookUps[2]?.(false);
  expect(await guess).toBe(401);
  const again = come();
  expect(lookUps).toHaveLength(3);
  expect(await again).toBe(429);
});

test('of guesses at once no more are looked up than their address may fail', async () => {
  const { come, lookUps } = gateWith(3);
  const guesses = Promise.all(Array.from({ length: 100 }, (_, i) => come(`guess-${i}`)));
  const other = come('guess-0', '192.0.2.2');
  expect(lookUps).toHaveLength(3);
  for (const answer of lookUps) answer(false);
  expect(counted(await guesses)).toEqual({ 401: 3, 429: 97 });
  // One look-up of a token serves all who ask for it, and each of them has failed.
  expect(await other).toBe(401);
  expect(await come('guess-0')).toBe(429);
});

test('a server that starts with many requests of a good token is not refused, nor its next tokens', async () => {
  const { come, lookUps } = gateWith(1);
  const first = Promise.all(Array.from({ length: 300 }, () => come()));
  expect(lookUps).toHaveLength(1);
  lookUps[0]?.(true);
  expect(counted(await first)).toEqual({ 200: 300 });
  const next = come('gw_sandbox_next');
  lookUps[1]?.(true);
  expect(await next).toBe(200);
});

test('a look-up that failed by itself is nobody’s guess', async () => {
  const { come, lookUps } = gateWith(1);
  const cut = come();
  lookUps[0]?.(new Error('connection lost'));
  await expect(cut).rejects.toThrow('connection lost');
  const again = come();
  lookUps[1]?.(true);
  expect(await again).toBe(200);
});

test('503 beyond a thousand look-ups under way, from however many addresses; none for what was good', async () => {
  const { gate, come, lookUps } = gateWith();
  const good = come('gw_sandbox_good');
  lookUps[0]?.(true);
  expect(await good).toBe(200);
  gate.cache.clear();
  const from = (i: number) => `198.51.${i >> 8}.${i & 255}`;
  const guesses = Promise.all(Array.from({ length: 1_500 }, (_, i) => come(`guess-${i}`, from(i))));
  const meanwhile = come('gw_sandbox_good');
  expect(lookUps).toHaveLength(1 + 1_000 + 1);
  lookUps.at(-1)?.(true);
  expect(await meanwhile).toBe(200);
  for (const answer of lookUps) answer(false);
  expect(counted(await guesses)).toEqual({ 401: 1_000, 503: 500 });
  const later = come('gw_sandbox_later', from(1_400));
  lookUps.at(-1)?.(true);
  expect(await later).toBe(200);
});
