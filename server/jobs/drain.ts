import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import type { Job } from './registry.ts';

/** How often it looks again while nothing can be claimed and batches are under way. */
const LOOK_MS = 250;

export type DrainOptions = {
  db: pg.Pool;
  clock: () => Date;
  /** After this time no new batch is begun. */
  budgetMs: number;
};

/** A job being drained, which later calls join. */
class Drain {
  readonly result: Promise<{ count: number }>;
  private readonly job: Job;
  private readonly options: DrainOptions;
  private readonly underWay = new Set<Promise<void>>();
  private readonly errors: unknown[] = [];
  private total = 0;
  private isWanted = false;
  private wakeUp: () => void = () => undefined;

  constructor(job: Job, options: DrainOptions, onLast: () => void) {
    this.job = job;
    this.options = options;
    this.result = this.run(onLast);
  }

  /** Looks once more: what the caller knows of may be younger than the last look. */
  join(): Promise<{ count: number }> {
    this.isWanted = true;
    this.wakeUp();
    return this.result.then(() => ({ count: 0 }));
  }

  private async run(onLast: () => void): Promise<{ count: number }> {
    const endMs = performance.now() + this.options.budgetMs;
    while (performance.now() < endMs && this.errors.length === 0) {
      this.isWanted = false;
      const others = this.underWay.size;
      if ((await this.begin()) > 0 || this.isWanted) continue;
      if (others === 0) break;
      // What has ended since that claim made room which the claim did not see.
      if (this.underWay.size < others) continue;
      // Nothing to claim now, but what ends makes room for its merchant's next.
      const woken = new Promise<void>((resolve) => {
        this.wakeUp = resolve;
      });
      await Promise.race([...this.underWay, woken, sleep(LOOK_MS)]);
    }
    onLast();
    await Promise.all(this.underWay);
    if (this.errors.length > 0) throw this.errors[0];
    return { count: this.total };
  }

  /**
   * Begins a batch. Resolves to its size as soon as that is known: one that then
   * hangs holds up no other, and there is never more than one claim at a time.
   */
  private begin(): Promise<number> {
    const { db, clock } = this.options;
    return new Promise((resolve) => {
      // A claim of nothing ends its batch at once, and is told by that.
      const onClaimed = (count: number) => (count > 0 ? resolve(count) : undefined);
      const input = { db, now: clock(), clock, limit: this.job.limit, onClaimed };
      const end = (count: number): void => {
        this.underWay.delete(ended);
        resolve(count);
      };
      const ended = this.job.run(input).then(
        ({ count }) => {
          this.total += count;
          end(count);
        },
        (error: unknown) => {
          this.errors.push(error);
          end(0);
        },
      );
      this.underWay.add(ended);
    });
  }
}

const drains = new WeakMap<pg.Pool, Map<Job['id'], Drain>>();

/**
 * Runs a job again and again until nothing is due that it could take, or the time
 * is up; batches under way are awaited.
 *
 * Calls for the same job at the same time share one drain: each with claims of its
 * own would take the pool's connections from those that are to record results.
 *
 * @returns how much was taken; 0 for a call that joined another
 * @throws the first error of a batch, after the others have ended
 */
export function drain(job: Job, options: DrainOptions): Promise<{ count: number }> {
  const ofPool = drains.get(options.db) ?? new Map<Job['id'], Drain>();
  drains.set(options.db, ofPool);
  const current = ofPool.get(job.id);
  if (current) return current.join();
  const begun = new Drain(job, options, () => ofPool.delete(job.id));
  ofPool.set(job.id, begun);
  return begun.result;
}
