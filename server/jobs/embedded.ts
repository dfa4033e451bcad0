import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import type { Job } from './registry.ts';

export type RunnerOptions = {
  db: pg.Pool;
  clock: () => Date;
  onError: (job: Job['id'], error: unknown) => void;
};

const FIRST_PAUSE_MS = 250;
const MAX_PAUSE_MS = 2_000;

/**
 * Runs one job on its timer. It never overlaps itself. A full run is followed by another at once.
 * An error is reported, and the job continues after a pause that grows while errors last.
 */
class JobRunner {
  private readonly job: Job;
  private readonly options: RunnerOptions;
  private readonly timer: NodeJS.Timeout;
  private readonly stopped = new AbortController();
  private running: Promise<void> | null = null;

  constructor(job: Job, options: RunnerOptions) {
    this.job = job;
    this.options = options;
    this.timer = setInterval(() => this.wake(), job.everyMs);
    this.wake();
  }

  wake(): void {
    if (this.stopped.signal.aborted) return;
    this.running ??= this.run().finally(() => {
      this.running = null;
    });
  }

  async stop(): Promise<void> {
    this.stopped.abort();
    clearInterval(this.timer);
    await this.running;
  }

  private async run(): Promise<void> {
    const { job, options } = this;
    const { signal } = this.stopped;
    let pauseMs = FIRST_PAUSE_MS;
    let again = true;
    while (again && !signal.aborted) {
      try {
        const { db, clock } = options;
        const { count } = await job.run({ db, now: clock(), clock, limit: job.limit });
        again = count >= job.limit;
        pauseMs = FIRST_PAUSE_MS;
      } catch (error) {
        options.onError(job.id, error);
        await sleep(pauseMs, undefined, { signal }).catch(() => undefined);
        pauseMs = Math.min(pauseMs * 2, MAX_PAUSE_MS);
      }
    }
  }
}

/** The running embedded driver. */
export type EmbeddedJobs = {
  /** Starts no run any more; resolves when the present ones have ended. */
  stop(): Promise<void>;
};

/** Runs the jobs on timers within this process, beside any number of other processes. */
export function startEmbeddedJobs(jobs: readonly Job[], options: RunnerOptions): EmbeddedJobs {
  const runners = jobs.map((job) => new JobRunner(job, options));
  return {
    stop: async () => {
      await Promise.all(runners.map((runner) => runner.stop()));
    },
  };
}
