import { processWide } from '../lib/process-wide.ts';
import { log } from '../observability/log.ts';
import { metrics } from '../observability/metrics.ts';
import type { Queryable } from './pool.ts';

/** How far a process's clock may be from the database's: no machine that keeps its clock comes near. */
export const MAX_OFFSET_MS = 5_000;
/** Longer than from beat to beat: where processes beat, nobody else has to ask the database. */
const FRESH_MS = 15_000;
/** No clock moves so far against one that nobody sets, unless it is set. */
const STEP_MS = 1_000;

type Measured = {
  offsetMs: number;
  /** `performance.now()` when it was measured: nobody sets that clock. */
  atMs: number;
  /** How far `Date.now()` was ahead of it. */
  leadMs: number;
};

type Clock = { measured: Measured | null; isWrong: boolean };
const clock = processWide('clock', (): Clock => ({ measured: null, isWrong: false }));

/**
 * How far this process's clock is ahead of the database's, in milliseconds; below 0: behind.
 * Noted for `isClockRight` and for Prometheus.
 *
 * The least offset that explains the answer: the database read its clock at some time between the
 * question and the answer, so that a slow one cannot make a right clock look wrong.
 */
export async function readClockOffset(db: Queryable): Promise<number> {
  // Before the question: what was measured while the clock was set counts for nothing.
  const beganMs = performance.now();
  const askedMs = Date.now();
  const { rows } = await db.query<{ at: Date }>('SELECT clock_timestamp() AS at');
  const answeredMs = Date.now();
  const atMs = rows[0]?.at.getTime() ?? askedMs;
  const offsetMs = Math.max(askedMs - atMs, Math.min(0, answeredMs - atMs));
  clock.measured = { offsetMs, atMs: beganMs, leadMs: askedMs - beganMs };
  metrics().clockOffset.set(offsetMs / 1000);
  return offsetMs;
}

/** By how much this process's clock was set since it was measured. */
function setSinceMs({ leadMs }: Measured): number {
  return Date.now() - performance.now() - leadMs;
}

/** Whether it was measured lately, and the clock has not been set since. */
function isFresh(measured: Measured): boolean {
  const isLate = performance.now() - measured.atMs >= FRESH_MS;
  return !isLate && Math.abs(setSinceMs(measured)) < STEP_MS;
}

/**
 * Whether this process's clock is away from the database's by what was measured last, without
 * asking it again: for a reader, who must not wait for that. False where nothing was measured.
 */
export function isClockKnownWrong(): boolean {
  const { measured } = clock;
  if (!measured) return false;
  return Math.abs(measured.offsetMs + setSinceMs(measured)) > MAX_OFFSET_MS;
}

/**
 * `now`, by the database's time as far as that is known without asking: where the clock is away from
 * it by what was measured last. For what is judged in front of every request.
 */
export function knownTime(now: Date): Date {
  const { measured } = clock;
  if (!measured || !isClockKnownWrong()) return now;
  return new Date(now.getTime() - measured.offsetMs - setSinceMs(measured));
}

/**
 * `clock`; or one that shows the database's time, which is asked for, where this process's clock is
 * known to be wrong: for work that cannot wait until it is right, and writes times that others will
 * hold against clocks that are. Of a clock that was corrected already it makes another such one.
 *
 * @throws whatever the database does where it has to be asked
 */
export async function rightClock(db: Queryable, clock: () => Date): Promise<() => Date> {
  // By what was measured last a clock can look wrong that was put right since.
  const offsetMs = isClockKnownWrong() ? await readClockOffset(db) : 0;
  if (Math.abs(offsetMs) <= MAX_OFFSET_MS) return clock;
  // Also when somebody sets the clock right in between.
  const originMs = Date.now() - offsetMs - performance.now();
  return () => new Date(originMs + performance.now());
}

/** The time now, as `rightClock` has it. */
export async function rightNow(db: Queryable): Promise<Date> {
  const clock = await rightClock(db, () => new Date());
  return clock();
}

/**
 * Whether this process may begin work that is due: its clock is as good as the database's. Told
 * in the log when that changes. Ahead, it would end invoices and challenges too early, for good;
 * and of callbacks, either way, it would take what others send, and they what it sends.
 *
 * @throws whatever the database does where the offset is not known
 */
export async function isClockRight(db: Queryable): Promise<boolean> {
  const { measured } = clock;
  const offsetMs = measured && isFresh(measured) ? measured.offsetMs : await readClockOffset(db);
  const isWrong = Math.abs(offsetMs) > MAX_OFFSET_MS;
  if (isWrong && !clock.isWrong) {
    log().error({ offsetMs }, 'the clock is away from the database’s: no job begins here');
  } else if (!isWrong && clock.isWrong) {
    log().warn({ offsetMs }, 'the clock is right again: jobs begin here');
  }
  clock.isWrong = isWrong;
  return !isWrong;
}
