import { log } from '../../observability/log.ts';
import type { Driver } from '../embedded-driver.ts';
import { FUNCTION_IDS, SWEEP_IDS } from './inngest.ts';
import type { RunCounts } from './runs.ts';

const FIRST_HOLD_MS = 30_000;
const MAX_HOLD_MS = 600_000;
/** Two missed sweeps, and half a minute's patience. */
const SWEEPS_MISSING_AFTER_MS = 150_000;

/**
 * Runs the embedded driver within the worker while Inngest does not do its work.
 *
 * Both may run at once, because every claim is guarded, so waiting gains nothing. It begins with
 * the first failed send, when due work waits too long, or when a sweep, which Inngest runs each
 * minute, has been missing.
 *
 * Accepted events say nothing about runs (functions not registered, wrong key, our address
 * unreachable). It therefore ends when each of the functions has run since. After work waited too
 * long it lasts at least half a minute, then twice as long each time, up to ten minutes: an Inngest
 * that runs everything may still be too slow.
 *
 * Times are `performance.now()`, a clock that nobody sets.
 */
export class Fallback {
  private readonly start: () => Driver;
  private driver: Driver | null = null;
  private isStopped = false;
  private stopping: Promise<void> = Promise.resolve();
  private untilMs = Number.NEGATIVE_INFINITY;
  private holdMs = FIRST_HOLD_MS;
  private runs: RunCounts = new Map();
  /** The time when a sweep's count was last seen to change; at first, of its first reading. */
  private readonly sweptAtMs = new Map<string, number>();
  /** The counts at Inngest's last failure; null until they are read. */
  private runsBefore: RunCounts | null = null;

  constructor(start: () => Driver) {
    this.start = start;
  }

  get isActive(): boolean {
    return this.driver !== null;
  }

  sendFailed(): void {
    this.runsBefore = null;
    this.begin('Inngest does not take events');
  }

  workWaits(nowMs: number): void {
    if (this.driver) return;
    // A failure long after the last one is another trouble.
    if (nowMs > this.untilMs + MAX_HOLD_MS) this.holdMs = FIRST_HOLD_MS;
    this.untilMs = nowMs + this.holdMs;
    this.holdMs = Math.min(this.holdMs * 2, MAX_HOLD_MS);
    this.begin('Inngest takes events, but due work is left lying');
  }

  /** Call it about every second. */
  sawRuns(runs: RunCounts, nowMs: number): void {
    for (const id of SWEEP_IDS) {
      const isNew = !this.sweptAtMs.has(id) || runs.get(id) !== this.runs.get(id);
      if (isNew) this.sweptAtMs.set(id, nowMs);
    }
    this.runs = runs;
    const missing = SWEEP_IDS.filter((id) => this.isMissing(id, nowMs));
    if (!this.driver) {
      if (missing.length > 0) this.begin(`Inngest does not run ${missing.join(', ')}`);
      return;
    }
    this.runsBefore ??= runs;
    const before = this.runsBefore;
    const haveAllRun = FUNCTION_IDS.every((id) => runs.get(id) !== before.get(id));
    if (haveAllRun && missing.length === 0 && nowMs >= this.untilMs) {
      this.end('Inngest has the jobs again');
    }
  }

  /** Stops for good: a later failed send begins nothing. */
  async stop(): Promise<void> {
    this.isStopped = true;
    if (this.driver) this.end('worker stopping');
    await this.stopping;
  }

  private isMissing(sweepId: string, nowMs: number): boolean {
    return nowMs - (this.sweptAtMs.get(sweepId) ?? nowMs) > SWEEPS_MISSING_AFTER_MS;
  }

  private begin(why: string): void {
    if (this.driver || this.isStopped) return;
    log().warn({ why }, 'the worker runs the jobs itself');
    this.runsBefore = null;
    this.driver = this.start();
  }

  private end(why: string): void {
    log().warn({ why }, 'the worker hands the jobs back');
    const stopped = this.driver?.stop();
    this.driver = null;
    this.stopping = Promise.all([this.stopping, stopped]).then(() => undefined);
    this.stopping.catch((err: unknown) => log().error({ err }, 'the jobs did not stop cleanly'));
  }
}
