import { expect, test } from 'vitest';
import type { Queryable } from '../db/pool.ts';
import { log } from '../log.ts';
import { Gate } from './authenticate.ts';
import type { RestRequest } from './types.ts';

const NOW = new Date('2026-11-21T12:00:00.000Z');
const LIMITS = { rateLimitPerSecond: 200, rateLimitBurst: 1_000, failedAuthPerMinute: 2 };
const FOUND = { id: 'tok_1', merchant_id: 'mer_1', environment: 'sandbox', expires_at: null };

/** A gate before a database whose answers a test gives, one for each look-up. */
function gateWith() {
  const lookUps: ((isGood: boolean) => void)[] = [];
  const query = () =>
    new Promise((resolve) => {
      lookUps.push((isGood) => resolve({ rows: isGood ? [FOUND] : [] }));
    });
  const gate = new Gate({ query } as unknown as Queryable, LIMITS, log());
  gate.cache.listening();
  const come = async (token = 'gw_sandbox_x') => {
    const headers: Record<string, string> = {
      authorization: `Bearer ${token}`,
      'x-merchant': 'mer_1',
    };
    const header = (name: string) => headers[name] ?? null;
    const request = { header, remoteAddress: '192.0.2.1' } as unknown as RestRequest;
    const result = await gate.authenticate(request, 'sandbox', NOW);
    return result.ok ? 200 : result.answer.status;
  };
  return { gate, come, lookUps };
}

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
