import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { FEW_IN_FLIGHT, MAX_IN_FLIGHT, RESERVED } from '../../callbacks/queue/claim.ts';
import { processWide } from '../../lib/process-wide.ts';
import type { Job } from '../registry.ts';

const LOOK_MS = 250;
/** How often it looks for room while there is none: what ends meanwhile shares a claim. */
const ROOM_LOOK_MS = 50;

export type DrainOptions = {
  db: pg.Pool;
  clock: () => Date;
  /** After this time no new batch is begun. */
  budgetMs: number;
  /** How often it looks again while nothing can be claimed and batches are under way. */
  lookMs?: number;
};

/** What is drained by one pool. */
class Drains {
  isStopping = false;
  /** Those that claim. */
  readonly current = new Map<Job['id'], Drain>();
  /** Those that claim, and those that await their last batches. */
  readonly running = new Set<Promise<unknown>>();
  private readonly rows = new Map<Job['id'], number>();

  /** What more of a job may be claimed: within the reserve only a few rows for a merchant. */
  roomOf(id: Job['id']): { room: number; perMerchant?: number } {
    const room = MAX_IN_FLIGHT - (this.rows.get(id) ?? 0);
    return room > RESERVED ? { room: room - RESERVED } : { room, perMerchant: FEW_IN_FLIGHT };
  }

  begun(id: Job['id'], count: number): void {
    this.rows.set(id, (this.rows.get(id) ?? 0) + count);
  }

  ended(id: Job['id'], count: number): void {
    this.begun(id, -count);
  }
}

/** Told whether its look was made. */
type Asker = (hasLooked: boolean) => void;

/** A job being drained, which later calls join. */
class Drain {
  readonly result: Promise<{ count: number }>;
  private readonly job: Job;
  private readonly options: DrainOptions;
  private readonly drains: Drains;
  private readonly underWay = new Set<Promise<void>>();
  private readonly errors: unknown[] = [];
  private total = 0;
  private isWanted = false;
  /** Those who joined and await the look that they asked for. */
  private readonly askers: Asker[] = [];
  private wakeUp: () => void = () => undefined;

  constructor(job: Job, options: DrainOptions, drains: Drains) {
    this.job = job;
    this.options = options;
    this.drains = drains;
    drains.current.set(job.id, this);
    this.result = this.run();
  }

  /**
   * Looks once more: what the caller knows of may be younger than the last look. Resolves after
   * that look, not when what was claimed has ended: one endpoint that hangs would keep every call
   * of these seconds open, and whoever runs them has room for so many.
   *
   * @returns false where the time was over before: the look is still to be made
   */
  join(): Promise<boolean> {
    this.isWanted = true;
    this.wakeUp();
    return new Promise((resolve) => this.askers.push(resolve));
  }

  private async run(): Promise<{ count: number }> {
    const endMs = performance.now() + this.options.budgetMs;
    while (performance.now() < endMs && this.errors.length === 0 && !this.drains.isStopping) {
      if (this.drains.roomOf(this.job.id).room <= 0) {
        // The look comes as soon as there is room, so the askers may go; one stays, to be told if the
        // time is over before that look.
        answer(this.askers.splice(1), true);
        await sleep(ROOM_LOOK_MS);
        continue;
      }
      this.isWanted = false;
      const askers = this.askers.splice(0);
      const others = this.underWay.size;
      const begun = await this.begin();
      answer(askers, true);
      if (begun > 0 || this.isWanted) continue;
      if (others === 0) break;
      // What has ended since that claim made room which the claim did not see.
      if (this.underWay.size < others) continue;
      // Nothing to claim now, but what ends makes room for its merchant's next.
      const woken = new Promise<void>((resolve) => {
        this.wakeUp = resolve;
      });
      await Promise.race([...this.underWay, woken, sleep(this.options.lookMs ?? LOOK_MS)]);
    }
    this.drains.current.delete(this.job.id);
    // After an error, or in a process that ends, nobody looks at once.
    answer(this.askers.splice(0), this.errors.length > 0 || this.drains.isStopping);
    await Promise.all(this.underWay);
    if (this.errors.length > 0) throw this.errors[0];
    return { count: this.total };
  }

  /**
   * Begins a batch. Resolves to its size as soon as that is known: one that then
   * hangs holds up no other, and there is never more than one claim at a time.
   */
  private begin(): Promise<number> {
    const { job, drains } = this;
    const { db, clock } = this.options;
    const { room, perMerchant } = drains.roomOf(job.id);
    return new Promise((resolve) => {
      let left = 0;
      const ended = (count: number): void => {
        left -= count;
        drains.ended(job.id, count);
      };
      const onClaimed = (count: number): void => {
        left += count;
        drains.begun(job.id, count);
        // A claim of nothing ends its batch at once, and is told by that.
        if (count > 0) resolve(count);
      };
      const end = (count: number): void => {
        this.underWay.delete(batch);
        // Not every job tells of each row.
        ended(left);
        resolve(count);
      };
      const input = { db, now: clock(), clock, perMerchant, onClaimed, onEnded: () => ended(1) };
      const batch = job.run({ ...input, limit: Math.min(job.limit, room) }).then(
        ({ count }) => {
          this.total += count;
          end(count);
        },
        (error: unknown) => {
          this.errors.push(error);
          end(0);
        },
      );
      this.underWay.add(batch);
    });
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
 * Runs a job again and again until nothing is due that it could take, or the time
 * is up; batches under way are awaited.
 *
 * Calls for the same job at the same time share one drain: each with claims of its
 * own would take the pool's connections from those that are to record results.
 *
 * @returns how much was taken; 0, and sooner, for a call whose look another made: what is claimed
 *   for it is the other's
 * @throws the first error of a batch, after the others have ended; never another's
 */
export function drain(job: Job, options: DrainOptions): Promise<{ count: number }> {
  const drains = drainsBy(options.db);
  const current = drains.current.get(job.id);
  if (current) {
    return current.join().then((hasLooked) => (hasLooked ? { count: 0 } : drain(job, options)));
  }
  const { result } = new Drain(job, options, drains);
  drains.running.add(result);
  const forget = () => drains.running.delete(result);
  result.then(forget, forget);
  return result;
}

/**
 * From now on no batch is begun by this pool, whoever asks for it: for a clean shutdown.
 *
 * @returns resolves when what was under way has ended
 */
export async function stopDrains(db: pg.Pool): Promise<void> {
  const drains = drainsBy(db);
  drains.isStopping = true;
  await Promise.allSettled(drains.running);
}
