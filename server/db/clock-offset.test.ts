import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { log } from '../observability/log.ts';
import { metrics } from '../observability/metrics.ts';
import { startHeartbeats } from '../operating/heartbeats.ts';
import { createTestDatabase, type TestDatabase } from '../testing/database/database.ts';
import { setClock } from '../testing/wall-clock.ts';
import { clockFault, isClockRight, measureClock } from './clock-offset.ts';
import type { Queryable } from './pool.ts';

const HOUR_MS = 3_600_000;
const NOW_MS = Date.parse('2026-11-21T12:00:00.000Z');
let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

/** The offset from a database whose clock shows `atMs` and that takes `tripMs` to answer. */
async function offsetOf(atMs: number, tripMs: number): Promise<number> {
  const db = { query: async () => ({ rows: [{ at: new Date(atMs) }] }) } as unknown as Queryable;
  const clock = vi.spyOn(Date, 'now').mockReturnValueOnce(NOW_MS);
  clock.mockReturnValueOnce(NOW_MS + tripMs);
  const offsetMs = await measureClock(db);
  clock.mockRestore();
  return offsetMs;
}

test.each([
  ['the same', NOW_MS, 0, 0],
  ['within the round trip', NOW_MS + 8_000, 9_000, 0],
  ['earlier than the question', NOW_MS - HOUR_MS, 9_000, HOUR_MS],
  ['later than the answer', NOW_MS + HOUR_MS, 9_000, 9_000 - HOUR_MS],
])('the database’s time is %s', async (_, atMs, tripMs, offsetMs) => {
  expect(await offsetOf(atMs, tripMs)).toBe(offsetMs);
});

test('on one machine there is none', async () => {
  expect(await measureClock(database.pool)).toBe(0);
});

test('a clock that is set is known to be wrong and right at once, though nobody asks the database', async () => {
  await measureClock(database.pool);
  const faultAt = (aheadMs: number) => {
    setClock(aheadMs);
    return clockFault();
  };
  expect(faultAt(HOUR_MS)).toBe('the clock is 3600 s ahead of the database’s');
  expect(faultAt(-HOUR_MS)).toBe('the clock is 3600 s behind the database’s');
  for (const aheadMs of [4_000, -4_000, 0]) expect(faultAt(aheadMs)).toBeNull();
  vi.restoreAllMocks();
});

test('a machine that has slept is right as soon as the database says so', async () => {
  const { pool } = database;
  await measureClock(pool);
  const asked = vi.spyOn(pool, 'query');
  for (let i = 0; i < 2; i++) expect(await isClockRight(pool)).toBe(true);
  expect(asked).not.toHaveBeenCalled();
  const steady = performance.now.bind(performance);
  vi.spyOn(performance, 'now').mockImplementation(() => steady() - HOUR_MS);
  expect(clockFault()).not.toBeNull();
  for (let i = 0; i < 2; i++) expect(await isClockRight(pool)).toBe(true);
  expect(asked).toHaveBeenCalledTimes(1);
  vi.restoreAllMocks();
});

test('the log tells once that the clock is wrong, and once that it is right again', async () => {
  const begins = vi.spyOn(log(), 'error').mockImplementation(() => undefined);
  const ends = vi.spyOn(log(), 'warn').mockImplementation(() => undefined);
  const told = async (aheadMs: number) => {
    setClock(aheadMs);
    await measureClock(database.pool);
    return [begins, ends].map(({ mock }) => mock.calls.length);
  };
  expect(await told(HOUR_MS)).toEqual([1, 0]);
  expect(await told(HOUR_MS)).toEqual([1, 0]);
  expect(await told(0)).toEqual([1, 1]);
  expect(await told(0)).toEqual([1, 1]);
  vi.restoreAllMocks();
});

test('each heartbeat tells Prometheus', async () => {
  const offset = async () => (await metrics().clockOffset.get()).values[0]?.value ?? 0;
  const now = Date.now.bind(Date);
  const clock = vi.spyOn(Date, 'now').mockImplementation(() => now() + HOUR_MS);
  const heartbeats = startHeartbeats(database.pool, { kind: 'web' });
  await expect.poll(offset).toBeGreaterThan(3_000);
  await heartbeats.stop();
  clock.mockRestore();
});
