import type pg from 'pg';
import { stopPumpRuns } from '../../callbacks/queue/pump-runs.ts';
import { processWide } from '../../lib/process-wide.ts';
import type { Job } from '../registry.ts';

export type DrainOptions = {
  db: pg.Pool;
  clock: () => Date;
  /** The time after which nothing more begins. */
  budgetMs: number;
};

/** The drains on one pool. */
class Drains {
  isStopping = false;
  /** The drains that look for work. */
  readonly current = new Map<Job['id'], Drain>();
  readonly running = new Set<Promise<unknown>>();
}

/** Called with whether its look was made. */
type Asker = (hasLooked: boolean) => void;

/** A job being drained, which later calls join. */
class Drain {
  readonly result: Promise<{ count: number }>;
  private readonly job: Job;
  private readonly options: DrainOptions;
  private readonly drains: Drains;
  /** The callers that joined and await their look. */
  private askers: Asker[] = [];

  constructor(job: Job, options: DrainOptions, drains: Drains) {
    this.job = job;
    this.options = options;
    this.drains = drains;
    drains.current.set(job.id, this);
    this.result = this.run();
  }

  /**
   * Looks once more: the caller's work may be newer than the present look.
   *
   * @returns false if the time was over before: the look is still to be made
   */
  join(): Promise<boolean> {
    return new Promise((resolve) => this.askers.push(resolve));
  }

  private async run(): Promise<{ count: number }> {
    const { job, drains } = this;
    const { db, clock, budgetMs } = this.options;
    const endMs = performance.now() + budgetMs;
    let total = 0;
    let hasFailed = true;
    try {
      for (;;) {
        const asked = this.askers;
        this.askers = [];
        const { count } = await job.run({ db, now: clock(), clock, limit: job.limit });
        total += count;
        answer(asked, true);
        const isDone = count === 0 && this.askers.length === 0;
        if (isDone || performance.now() >= endMs || drains.isStopping) break;
      }
      hasFailed = false;
    } finally {
      drains.current.delete(job.id);
      // After an error, or in a process that ends, no look follows at once.
      answer(this.askers, hasFailed || drains.isStopping);
    }
    return { count: total };
  }
}

function answer(askers: readonly Asker[], hasLooked: boolean): void {
  for (const tell of askers) tell(hasLooked);
}

const byPool = processWide('drains', () => new WeakMap<pg.Pool, Drains>());

function drainsBy(db: pg.Pool): Drains {
  const drains = byPool.get(db) ?? new Drains();
  byPool.set(db, drains);
  return drains;
}

/**
 * Runs a job repeatedly until no claimable work is due, or the time is up.
 *
 * Concurrent calls for the same job share one drain: separate claims would take the pool's
 * connections from others.
 *
 * @returns the amount of work; 0 for a call whose look another made: that work counts for the other
 * @throws the error of its own run; never another's
 */
export async function drain(job: Job, options: DrainOptions): Promise<{ count: number }> {
  const { db, clock } = options;
  const drains = drainsBy(db);
  if (drains.isStopping) return { count: 0 };
  // The pump continues until nothing is due, and its calls share it.
  if (job.id === 'deliverDueCallbacks') {
    return await job.run({ db, now: clock(), clock, limit: job.limit });
  }
  const current = drains.current.get(job.id);
  if (current) return (await current.join()) ? { count: 0 } : await drain(job, options);
  const { result } = new Drain(job, options, drains);
  drains.running.add(result);
  return await result.finally(() => drains.running.delete(result));
}

/**
 * Stops all work on this pool, for a clean shutdown.
 *
 * @returns resolves when the present work has ended
 */
export async function stopDrains(db: pg.Pool): Promise<void> {
  const drains = drainsBy(db);
  drains.isStopping = true;
  await Promise.allSettled([...drains.running, stopPumpRuns(db)]);
}
