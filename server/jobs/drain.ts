import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import type { Job } from './registry.ts';

// A batch that takes longer waits for somebody's slow server: meanwhile the next
// one is claimed, so that a merchant that hangs holds up nobody else.
const PATIENCE_MS = 250;

export type DrainOptions = {
  db: pg.Pool;
  clock: () => Date;
  /** After this time no new batch is begun. */
  budgetMs: number;
};

/**
 * Runs a job again and again until nothing is due that it could take, or the time
 * is up; batches under way are awaited.
 *
 * @returns how much was taken
 * @throws the first error of a batch, after the others have ended
 */
export async function drain(job: Job, options: DrainOptions): Promise<{ count: number }> {
  const { db, clock, budgetMs } = options;
  const endMs = performance.now() + budgetMs;
  const underWay = new Set<Promise<void>>();
  const errors: unknown[] = [];
  let total = 0;
  const begin = (): Promise<number> => {
    const batch = job.run({ db, now: clock(), limit: job.limit }).then(({ count }) => count);
    const ended = batch.then(
      (count) => {
        total += count;
        underWay.delete(ended);
      },
      (error: unknown) => {
        errors.push(error);
        underWay.delete(ended);
      },
    );
    underWay.add(ended);
    return batch.catch(() => 0);
  };

  while (performance.now() < endMs && errors.length === 0) {
    const taken = await Promise.race([begin(), sleep(PATIENCE_MS, null)]);
    if (taken !== 0) continue;
    if (underWay.size === 0) break;
    // Nothing to claim now, but what ends makes room for its merchant's next.
    await Promise.race([...underWay, sleep(PATIENCE_MS)]);
  }
  await Promise.all(underWay);
  if (errors.length > 0) throw errors[0];
  return { count: total };
}
