import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import type { AttemptResult } from '../types.ts';
import { Mutex } from './mutex.ts';
import { recordAgain, recordResults } from './record.ts';

const MAX_BATCH = 256;
// Fewer are recorded at once, and as many are worth a statement at any time.
const FEW = 8;
const ENOUGH = 128;
const MAX_GAP_MS = 20;
const FIRST_PAUSE_MS = 50;
// While somebody holds rows.
const HELD_PAUSE_MS = 50;
const MAX_PAUSE_MS = 2_000;

export type RecorderOptions = {
  pool: pg.Pool;
  /** Called after each batch that was recorded. */
  onRecorded?: (results: readonly AttemptResult[]) => void;
  /** Called for one that the database will not take. */
  onRefused?: (result: AttemptResult) => void;
  /** Shared with those whose statements should not run beside these. */
  mutex?: Mutex;
  onError: (error: unknown) => void;
};

/** What became of a batch; `held` are those whose rows somebody holds. */
type Recorded = { recorded: readonly AttemptResult[]; held: readonly AttemptResult[] };

/**
 * Lets all answers that came in with this turn of the loop into one batch, and what takes their
 * place (pump.ts sends it by an immediate) go out first: their servers work meanwhile.
 */
function afterSends(): Promise<void> {
  return new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
}

/**
 * Integrity and data errors (SQLSTATE 22, 23) are the row's fault and stay. Not a lock that was not to
 * be had, though that is of the rows too (`db/rows-fault.ts`): it is tried again.
 */
function isForGood(error: unknown): boolean {
  return /^2[23]/.test((error as { code?: string }).code ?? '');
}

/**
 * Collects results and records them in batches: while one statement is under way
 * the next results gather. What cannot be recorded because the database is away or somebody holds
 * its row is kept and tried again, apart from the others, so that it holds up none of them; whoever
 * adds looks at `unrecorded` to bound it.
 */
export class Recorder {
  private queue: AttemptResult[] = [];
  /** Tried before. */
  private again: AttemptResult[] = [];
  /** Halved by each failure, so that what fails for good comes to be tried alone. */
  private againSize = MAX_BATCH;
  private againAtMs = 0;
  private wasAgain = false;
  /** What the statement under way has. */
  private underWay: readonly AttemptResult[] = [];
  private running: Promise<void> | null = null;
  private abandoned = false;
  /** Ends the wait for more results. */
  private enough: (() => void) | null = null;
  private readonly options: RecorderOptions;
  private readonly mutex: Mutex;

  constructor(options: RecorderOptions) {
    this.options = options;
    this.mutex = options.mutex ?? new Mutex();
  }

  add(result: AttemptResult): void {
    this.queue.push(result);
    if (this.queue.length >= ENOUGH) this.enough?.();
    this.running ??= this.run();
  }

  /** How many results are not known to be recorded. */
  get unrecorded(): number {
    return this.underWay.length + this.queue.length + this.again.length;
  }

  /** Resolves when everything added so far is recorded (or was given up). */
  async idle(): Promise<void> {
    while (this.running !== null) await this.running;
  }

  /**
   * Gives up what is not recorded: the leases run out and it is sent again.
   *
   * @returns what is not known to be recorded; a statement under way may record its part still
   */
  abandon(): AttemptResult[] {
    const givenUp = [...this.underWay, ...this.again, ...this.queue];
    this.abandoned = true;
    this.queue = [];
    this.again = [];
    return givenUp;
  }

  private get isAgainDue(): boolean {
    return this.again.length > 0 && performance.now() >= this.againAtMs;
  }

  private async run(): Promise<void> {
    let pauseMs = FIRST_PAUSE_MS;
    while (this.queue.length + this.again.length > 0) {
      if (this.queue.length === 0 && !this.isAgainDue) {
        await sleep(HELD_PAUSE_MS);
        continue;
      }
      await afterSends();
      try {
        const { count, tookMs } = await this.mutex.take(() => this.recordNext());
        pauseMs = FIRST_PAUSE_MS;
        if (count > FEW) await this.gather(tookMs);
      } catch (error) {
        this.options.onError(error);
        if (this.abandoned) break;
        await sleep(pauseMs);
        pauseMs = Math.min(pauseMs * 2, MAX_PAUSE_MS);
      }
    }
    this.running = null;
  }

  private async recordNext(): Promise<{ count: number; tookMs: number }> {
    // By turns, so that what fails again and again holds up nothing new.
    const isAgain = this.isAgainDue && !(this.wasAgain && this.queue.length > 0);
    this.wasAgain = isAgain;
    const batch = isAgain ? this.again.splice(0, this.againSize) : this.queue.splice(0, MAX_BATCH);
    this.underWay = batch;
    const begunMs = performance.now();
    let done: Recorded;
    try {
      done = await this.recordBatch(batch, isAgain ? recordAgain : recordResults);
    } catch (error) {
      if (!this.abandoned) this.again.push(...batch);
      if (isAgain) this.againSize = Math.max(1, Math.floor(batch.length / 2));
      throw error;
    } finally {
      this.underWay = [];
    }
    if (isAgain) this.againSize = Math.min(this.againSize * 2, MAX_BATCH);
    if (done.held.length > 0 && !this.abandoned) {
      this.again.push(...done.held);
      this.againAtMs = performance.now() + HELD_PAUSE_MS;
    }
    this.options.onRecorded?.(done.recorded);
    return { count: batch.length, tookMs: performance.now() - begunMs };
  }

  /**
   * While there are few, at most half of the time goes into recording, or all but 20 ms: a
   * statement costs about as much for ten as for twenty.
   */
  private async gather(gapMs: number): Promise<void> {
    if (this.queue.length >= ENOUGH || this.abandoned) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, Math.min(gapMs, MAX_GAP_MS));
      this.enough = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    this.enough = null;
  }

  /** One bad row fails its statement: then each is tried alone, and only that one is lost. */
  private async recordBatch(
    batch: readonly AttemptResult[],
    record: typeof recordResults,
  ): Promise<Recorded> {
    const { pool } = this.options;
    try {
      const recorded = await record(pool, batch);
      const isWhole = recorded.length === batch.length;
      return { recorded, held: isWhole ? [] : batch.filter((r) => !recorded.includes(r)) };
    } catch (error) {
      if (!isForGood(error)) throw error;
    }
    const recorded: AttemptResult[] = [];
    const held: AttemptResult[] = [];
    for (const result of batch) {
      try {
        const isRecorded = (await record(pool, [result])).length > 0;
        (isRecorded ? recorded : held).push(result);
      } catch (error) {
        if (!isForGood(error)) throw error;
        this.options.onError(error);
        this.options.onRefused?.(result);
      }
    }
    return { recorded, held };
  }
}
