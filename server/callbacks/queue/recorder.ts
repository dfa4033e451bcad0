import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import type { AttemptResult } from '../types.ts';
import { Mutex } from './mutex.ts';
import { recordAgain, recordResults } from './record.ts';

const MAX_BATCH = 256;
// Fewer results are recorded at once, and this many are worth a statement at any time.
const FEW = 8;
const ENOUGH = 128;
const MAX_GAP_MS = 20;
const FIRST_PAUSE_MS = 50;
// The pause while rows are locked.
const HELD_PAUSE_MS = 50;
const MAX_PAUSE_MS = 2_000;

export type RecorderOptions = {
  pool: pg.Pool;
  /** Called after each recorded batch. */
  onRecorded?: (results: readonly AttemptResult[]) => void;
  /** Called for a result that the database rejects. */
  onRefused?: (result: AttemptResult) => void;
  /** Shared with statements that should not run beside these. */
  mutex?: Mutex;
  onError: (error: unknown) => void;
};

/** A batch's outcome; the rows of `held` are locked. */
type Recorded = { recorded: readonly AttemptResult[]; held: readonly AttemptResult[] };

/**
 * Collects all answers of this turn of the loop into one batch, and lets their replacements
 * (pump.ts sends them by an immediate) go out first: their servers work meanwhile.
 */
function afterSends(): Promise<void> {
  return new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
}

/**
 * Integrity and data errors (SQLSTATE 22, 23) are the row's fault and permanent. A lock that was
 * not available is not, though it too concerns the rows (`db/rows-fault.ts`): it is tried again.
 */
function isForGood(error: unknown): boolean {
  return /^2[23]/.test((error as { code?: string }).code ?? '');
}

/**
 * Collects results and records them in batches: results gather during a statement. Results that
 * cannot be recorded because the database is away or their row is locked are kept and retried apart
 * from the others, so that they delay none of them. The caller checks `unrecorded` to bound them.
 */
export class Recorder {
  private queue: AttemptResult[] = [];
  /** The results that failed before. */
  private again: AttemptResult[] = [];
  /** Halved by each failure, until a permanent one is tried alone. */
  private againSize = MAX_BATCH;
  private againAtMs = 0;
  private wasAgain = false;
  /** The results of the present statement. */
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

  /** The number of results not known to be recorded. */
  get unrecorded(): number {
    return this.underWay.length + this.queue.length + this.again.length;
  }

  /** Resolves when everything added so far is recorded (or was given up). */
  async idle(): Promise<void> {
    while (this.running !== null) await this.running;
  }

  /**
   * Gives up unrecorded results: the leases run out and they are sent again.
   *
   * @returns results not known to be recorded; a statement under way may still record its part
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
    // New and failed results take turns, so that repeated failures do not delay new ones.
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
   * With few results, recording takes at most half of the time, or all but 20 ms: a statement costs
   * about as much for ten as for twenty.
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

  /** One bad row fails its statement: each is then tried alone, and only the bad one is lost. */
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
