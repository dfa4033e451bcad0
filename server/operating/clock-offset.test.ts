import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { Queryable } from '../db/pool.ts';
import { metrics } from '../lib/metrics.ts';
import { createTestDatabase, type TestDatabase } from '../testing/database.ts';
import { startBeats } from './beats.ts';
import { readClockOffset } from './clock-offset.ts';

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

test('each beat tells Prometheus', async () => {
  const offset = async () => (await metrics().clockOffset.get()).values[0]?.value ?? 0;
  const now = Date.now.bind(Date);
  const clock = vi.spyOn(Date, 'now').mockImplementation(() => now() + HOUR_MS);
  const beats = startBeats(database.pool, { kind: 'web' });
  await expect.poll(offset).toBeGreaterThan(3_000);
  await beats.stop();
  clock.mockRestore();
});
