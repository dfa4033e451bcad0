import { processWide } from '../lib/process-wide.ts';
import { log } from '../observability/log.ts';
import { metrics } from '../observability/metrics.ts';
import type { Queryable } from './pool.ts';

/** The largest difference from the database's clock; no well-kept clock comes near. */
const MAX_OFFSET_MS = 5_000;

type Measured = {
  offsetMs: number;
  /** How far `Date.now()` was ahead of `performance.now()`, which nobody can set. */
  leadMs: number;
};

type Clock = { measured: Measured | null; isToldWrong: boolean };
const clock = processWide('clock', (): Clock => ({ measured: null, isToldWrong: false }));

/**
 * Compares this process's clock with the database's: at its start, with each heartbeat and for each
 * health check. Reports the offset to Prometheus, and logs when the clock goes wrong or right.
 *
 * The offset is the smallest that explains the answer: the database read its clock at some time
 * between the question and the answer, so a slow database cannot make a right clock look wrong.
 *
 * @returns how far this process's clock is ahead, in milliseconds; below 0: behind
 */
export async function measureClock(db: Queryable): Promise<number> {
  // Read before the question, so that a clock set meanwhile is noticed.
  const askedMs = Date.now();
  const leadMs = askedMs - performance.now();
  const { rows } = await db.query<{ at: Date }>('SELECT clock_timestamp() AS at');
  const answeredMs = Date.now();
  const atMs = rows[0]?.at.getTime() ?? askedMs;
  const offsetMs = Math.max(askedMs - atMs, Math.min(0, answeredMs - atMs));
  clock.measured = { offsetMs, leadMs };
  metrics().clockOffset.set(offsetMs / 1000);
  tell(clockFault());
  return offsetMs;
}

function tell(fault: string | null): void {
  if (fault !== null && !clock.isToldWrong) {
    log().error(`${fault}: no job begins here, and no payment`);
  } else if (fault === null && clock.isToldWrong) {
    log().warn('the clock is right again: jobs and payments begin here');
  }
  clock.isToldWrong = fault !== null;
}

/**
 * Why this process may not act by its clock, or null. A wrong clock would expire an invoice too
 * early, for good, let it be paid after its end, or send callbacks twice. Meanwhile the process is
 * not ready, begins no job, takes no payment, and none of its reads ends an invoice; everything
 * else goes on.
 *
 * The answer uses the last measurement and the changes of the clock since, and asks nobody. A clock
 * that was never measured has no fault.
 */
export function clockFault(): string | null {
  const { measured } = clock;
  if (!measured) return null;
  const setMs = Date.now() - performance.now() - measured.leadMs;
  const offsetMs = measured.offsetMs + setMs;
  if (Math.abs(offsetMs) <= MAX_OFFSET_MS) return null;
  const seconds = Math.round(Math.abs(offsetMs) / 1000);
  return `the clock is ${seconds} s ${offsetMs > 0 ? 'ahead of' : 'behind'} the database’s`;
}

/**
 * Whether this process may begin work that depends on its clock. The database is asked only if the
 * clock was never measured or seems wrong: the machine may have slept, or the clock may have been
 * put right since.
 *
 * @throws whatever the database throws when asked
 */
export async function isClockRight(db: Queryable): Promise<boolean> {
  if (!clock.measured || clockFault() !== null) await measureClock(db);
  return clockFault() === null;
}
