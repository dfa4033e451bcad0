import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { log } from '../observability/log.ts';
import { metrics } from '../observability/metrics.ts';
import { startBeats } from '../operating/heartbeats.ts';
import { createTestDatabase, type TestDatabase } from '../testing/database/database.ts';
import { isClockRight, readClockOffset } from './clock-offset.ts';
import type { Queryable } from './pool.ts';

const HOUR_MS = 3_600_000;
const NOW_MS = Date.parse('2026-11-21T12:00:00.000Z');
let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

/** Asks at `NOW_MS` a database whose clock shows `atMs`, and that takes `tripMs` to answer. */
async function offsetOf(atMs: number, tripMs: number): Promise<number> {
  const db = { query: async () => ({ rows: [{ at: new Date(atMs) }] }) } as unknown as Queryable;
  const clock = vi.spyOn(Date, 'now').mockReturnValueOnce(NOW_MS);
  clock.mockReturnValueOnce(NOW_MS + tripMs);
  const offsetMs = await readClockOffset(db);
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
  expect(await readClockOffset(database.pool)).toBe(0);
});

test('the database is asked once, and again when the clock was set or after a while', async () => {
  const begins = vi.spyOn(log(), 'error').mockImplementation(() => undefined);
  const ends = vi.spyOn(log(), 'warn').mockImplementation(() => undefined);
  const wall = Date.now.bind(Date);
  const steady = performance.now.bind(performance);
  let aheadMs = 0;
  let passedMs = 0;
  vi.spyOn(Date, 'now').mockImplementation(() => wall() + aheadMs + passedMs);
  vi.spyOn(performance, 'now').mockImplementation(() => steady() + passedMs);
  const query = vi.fn(async () => ({ rows: [{ at: new Date(wall() + passedMs) }] }));
  const db = { query } as unknown as Queryable;
  await readClockOffset(db);
  const ask = async () => {
    const answers = [await isClockRight(db), await isClockRight(db)];
    return [...answers, query.mock.calls.length];
  };
  expect(await ask()).toEqual([true, true, 1]);
  aheadMs = HOUR_MS;
  expect(await ask()).toEqual([false, false, 2]);
  passedMs = HOUR_MS;
  expect(await ask()).toEqual([false, false, 3]);
  aheadMs = 0;
  expect(await ask()).toEqual([true, true, 4]);
  expect([begins, ends].map(({ mock }) => mock.calls.length)).toEqual([1, 1]);
  vi.restoreAllMocks();
});

test('each beat tells Prometheus', async () => {
  const offset = async () => (await metrics().clockOffset.get()).values[0]?.value ?? 0;
  const now = Date.now.bind(Date);
  const clock = vi.spyOn(Date, 'now').mockImplementation(() => now() + HOUR_MS);
  const beats = startBeats(database.pool, { kind: 'web' });
  await expect.poll(offset).toBeGreaterThan(3_000);
  await beats.stop();
  clock.mockRestore();
});
