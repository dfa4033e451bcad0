import { processWide } from '../lib/process-wide.ts';
import { log } from '../observability/log.ts';
import { metrics } from '../observability/metrics.ts';
import type { Queryable } from './pool.ts';

/** How far a process's clock may be from the database's: no machine that keeps its clock comes near. */
const MAX_OFFSET_MS = 5_000;

type Measured = {
  offsetMs: number;
  /** How far `Date.now()` was ahead of `performance.now()`: nobody sets that clock. */
  leadMs: number;
};

type Clock = { measured: Measured | null; isToldWrong: boolean };
const clock = processWide('clock', (): Clock => ({ measured: null, isToldWrong: false }));

/**
 * Holds this process's clock against the database's: at its start, with each heartbeat and for each
 * health check. Tells Prometheus the offset, and the log when the clock goes wrong or right.
 *
 * The offset is the least that explains the answer: the database read its clock at some time between
 * the question and the answer, so that a slow one cannot make a right clock look wrong.
 *
 * @returns how far this process's clock is ahead, in milliseconds; below 0: behind
 */
export async function measureClock(db: Queryable): Promise<number> {
  // Before the question: a clock that is set meanwhile is known to be set.
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
 * Why this process may not act by its clock, or null. By a wrong one an invoice would end too early,
 * for good, or be paid after its end, and callbacks would be sent twice. While it lasts, the process is
 * not ready, begins no job, takes no payment, and none of its reads ends an invoice; all else goes on.
 *
 * It goes by what was measured last and by how much the clock was set since, and asks nobody. Of a
 * clock that was never measured nothing is known.
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
 * Whether this process may begin what goes by its clock. The database is asked only where the clock
 * was never measured, or seems wrong: the machine may have slept, or the clock been put right since.
 *
 * @throws whatever the database does where it has to be asked
 */
export async function isClockRight(db: Queryable): Promise<boolean> {
  if (!clock.measured || clockFault() !== null) await measureClock(db);
  return clockFault() === null;
}
