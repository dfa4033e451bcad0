import type { Queryable } from '../db/pool.ts';
import { metrics } from '../lib/metrics.ts';

/** How far a process's clock may be from the database's: no machine that keeps its clock comes near. */
export const MAX_OFFSET_MS = 5_000;

/**
 * How far this process's clock is ahead of the database's, in milliseconds; below 0: behind.
 * Noted for Prometheus.
 *
 * What is certain of it: the database looks at its clock between the question and the answer, so
 * that a slow one cannot make a right clock a wrong one.
 */
export async function readClockOffset(db: Queryable): Promise<number> {
  const askedMs = Date.now();
  const { rows } = await db.query<{ at: Date }>('SELECT clock_timestamp() AS at');
  const answeredMs = Date.now();
  const atMs = rows[0]?.at.getTime() ?? askedMs;
  const offsetMs = Math.max(askedMs - atMs, Math.min(0, answeredMs - atMs));
  metrics().clockOffset.set(offsetMs / 1000);
  return offsetMs;
}
