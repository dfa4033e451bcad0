import { GatewayError } from './errors.ts';
import { withTimeout } from './timeout.ts';
import { tracer, type Waiter } from './tracing.ts';

export type CoalescerOptions<Row, Answer> = {
  /** What its statements are called in traces. */
  name: string;
  /** The statement for a single row: it waited alone, or its batch left it undecided. */
  one(row: Row): Promise<Answer>;
  /**
   * One statement for several rows, in the order of their arrival. The answers are in the order of
   * the rows; an undefined answer means that the row changed nothing and `one` decides.
   */
  many(rows: readonly Row[]): Promise<readonly (Answer | undefined)[]>;
  /**
   * Whether a failure proves that the statement changed nothing and that one of its rows may be to
   * blame. Only then are its rows tried one by one. Any other failure (above all a lost connection,
   * perhaps after the COMMIT) is the answer to all of them.
   */
  isRowsFault(error: unknown): boolean;
  /** Whether both rows belong to one owner. Owners share the waiting places. */
  isSameOwner(one: Row, other: Row): boolean;
  /** Whether both rows wait for the same lock; by default, all rows of one owner do. */
  isSameRow?(one: Row, other: Row): boolean;
  /** Roughly how many bytes a row adds to a statement; 0 by default. */
  bytesOf?(row: Row): number;
  limits?: Partial<CoalescerLimits>;
  /** Given by tests. */
  clockMs?(): number;
};

export type CoalescerLimits = {
  statementsInFlight: number;
  rowsInStatement: number;
  /** A larger row goes alone. */
  bytesInStatement: number;
  /** More callers are refused at once, and so are those of one owner beyond half of it. */
  rowsWaiting: number;
  /** A caller that has waited longer when its turn comes is refused. */
  waitingMs: number;
  /**
   * A statement of one row that takes longer is left to itself, and the next begins: the row may be
   * locked, which does not concern the others.
   */
  aloneMs: number;
  /**
   * At most this many statements are left to themselves, since each has a connection. One owner may
   * have half of them, or one more. An owner that keeps asking for a locked row would otherwise
   * take them all; it waits for its own statements instead.
   */
  statementsBeside: number;
};

const LIMITS: CoalescerLimits = {
  statementsInFlight: 2,
  rowsInStatement: 64,
  // Texts in arrays are escaped, which blocks the event loop: this many quotes take 10 ms. A row
  // that goes alone has its texts sent as they are.
  bytesInStatement: 64 * 1024,
  rowsWaiting: 2_048,
  // Many callers have left by then, and their values assume the time of their arrival.
  waitingMs: 10_000,
  aloneMs: 100,
  statementsBeside: 4,
};

type Caller<Row, Answer> = {
  row: Row;
  /** The caller whose span the statement belongs to, where there are traces. */
  waiter: Waiter | null;
  sinceMs: number;
  answer: { resolve(answer: Answer): void; reject(error: unknown): void };
};

function busy(internal: string): GatewayError {
  return new GatewayError('busy', {}, internal);
}

/**
 * Gathers what concurrent callers ask of the database. While as many statements as allowed are in
 * flight, callers wait, and the next statement takes all of them. Sixteen rows in one statement and
 * one commit cost a seventh of sixteen statements.
 *
 * There is no timer. A statement begins in the event-loop turn in which the first caller came, or
 * the previous statement ended, and takes every caller of that turn along. Each caller gets its own
 * answer or its own error.
 */
export class Coalescer<Row, Answer> {
  private readonly options: CoalescerOptions<Row, Answer>;
  private readonly limits: CoalescerLimits;
  private readonly clockMs: () => number;
  private waiting: Caller<Row, Answer>[] = [];
  private inFlight = 0;
  /** Callers whose one-row statements are left to themselves. */
  private readonly beside = new Set<Caller<Row, Answer>>();
  /** Callers whose owner has its share of `beside`; each replaces one that ends. */
  private readonly parked: Caller<Row, Answer>[] = [];
  private willStart = false;

  constructor(options: CoalescerOptions<Row, Answer>) {
    this.options = options;
    this.limits = { ...LIMITS, ...options.limits };
    this.clockMs = options.clockMs ?? (() => performance.now());
  }

  /**
   * @throws GatewayError `unavailable` when too many callers wait, or this one has for too long;
   * nothing
   *   was done then
   */
  submit(row: Row): Promise<Answer> {
    return new Promise((resolve, reject) => {
      if (this.isFull(row)) {
        reject(busy(`${this.waiting.length} callers wait for the database`));
        return;
      }
      const waiter = tracer()?.waiter() ?? null;
      this.waiting.push({ row, waiter, sinceMs: this.clockMs(), answer: { resolve, reject } });
      this.startSoon();
    });
  }

  /**
   * An owner has at most as many places as are free, so that a newcomer always finds one: a single
   * owner may have half of them, two a third each. Skipped when no owner can have as many.
   */
  private isFull(row: Row): boolean {
    const taken = this.waiting.length + this.parked.length;
    const free = this.limits.rowsWaiting - taken;
    if (taken < free) return false;
    let own = 0;
    for (const other of [...this.waiting, ...this.parked]) {
      if (own === free) break;
      if (this.options.isSameOwner(row, other.row)) own += 1;
    }
    return own >= free;
  }

  /** Starts at the end of this turn, so that callers of the same turn share a statement. */
  private startSoon(): void {
    if (this.willStart || this.inFlight >= this.limits.statementsInFlight) return;
    this.willStart = true;
    setImmediate(() => {
      this.willStart = false;
      this.start();
    });
  }

  private start(): void {
    while (this.waiting.length > 0 && this.inFlight < this.limits.statementsInFlight) {
      this.inFlight += 1;
      void this.answer(this.take()).finally(() => {
        this.inFlight -= 1;
        if (this.waiting.length > 0) this.startSoon();
      });
    }
  }

  private take(): Caller<Row, Answer>[] {
    const { rowsInStatement, bytesInStatement } = this.limits;
    let count = 0;
    let bytes = 0;
    for (const { row } of this.waiting) {
      bytes += this.options.bytesOf?.(row) ?? 0;
      if (count === rowsInStatement || (count > 0 && bytes > bytesInStatement)) break;
      count += 1;
    }
    return this.inTime(this.waiting.splice(0, count));
  }

  /** The callers that have not waited too long; the others are refused. */
  private inTime(callers: readonly Caller<Row, Answer>[]): Caller<Row, Answer>[] {
    const earliestMs = this.clockMs() - this.limits.waitingMs;
    return callers.filter(({ sinceMs, answer }) => {
      if (sinceMs >= earliestMs) return true;
      answer.reject(busy('the database was not free in time'));
      return false;
    });
  }

  /** Settles every caller; never rejects. */
  private async answer(callers: Caller<Row, Answer>[]): Promise<void> {
    const undecided = callers.length > 1 ? await this.answerTogether(callers) : callers;
    for (const caller of undecided) {
      // The earlier statements may have taken long.
      if (this.inTime([caller]).length === 0) continue;
      if (this.isHeldUp(caller)) await this.park(caller);
      else await this.answerAlone(caller);
    }
  }

  /** Parks the caller unless its row is free, which `many` finds out without a long wait. */
  private async park(caller: Caller<Row, Answer>): Promise<void> {
    if (!this.isKnownHeld(caller) && (await this.answerTogether([caller])).length === 0) return;
    // The owner's statements may have ended meanwhile, and nothing would unpark it.
    if (this.isHeldUp(caller)) this.parked.push(caller);
    else await this.answerAlone(caller);
  }

  private isKnownHeld({ row }: Caller<Row, Answer>): boolean {
    const { isSameOwner, isSameRow = isSameOwner } = this.options;
    return [...this.beside, ...this.parked].some((other) => isSameRow(row, other.row));
  }

  private isHeldUp({ row }: Caller<Row, Answer>): boolean {
    const own = [...this.beside].filter((other) => this.options.isSameOwner(row, other.row));
    return own.length >= Math.max(1, this.limits.statementsBeside / 2);
  }

  /** The next parked caller of the same owner, if there is one. */
  private unpark({ row }: Caller<Row, Answer>): Caller<Row, Answer> | undefined {
    for (;;) {
      const at = this.parked.findIndex((other) => this.options.isSameOwner(row, other.row));
      const [next] = at < 0 ? [] : this.parked.splice(at, 1);
      if (!next || this.inTime([next]).length > 0) return next;
    }
  }

  /** Resolves with the answer, or earlier when the next statement may begin beside this one. */
  private async answerAlone(caller: Caller<Row, Answer>): Promise<void> {
    const answered = this.answered(caller);
    const { aloneMs, statementsBeside } = this.limits;
    // `answered` never rejects.
    const isLate = await withTimeout(aloneMs, answered).then(
      () => false,
      () => true,
    );
    if (!isLate) return;
    if (this.beside.size >= statementsBeside) return await answered;
    void this.keepBeside(caller, answered);
  }

  /** Never rejects. */
  private answered(caller: Caller<Row, Answer>): Promise<void> {
    return this.traced([caller], () => this.options.one(caller.row)).then(
      (answer) => caller.answer.resolve(answer),
      (error: unknown) => caller.answer.reject(error),
    );
  }

  /** The caller keeps its place until its answer; its owner's next parked caller then takes it. */
  private async keepBeside(caller: Caller<Row, Answer>, answered: Promise<void>): Promise<void> {
    this.beside.add(caller);
    await answered;
    this.beside.delete(caller);
    const next = this.unpark(caller);
    if (next) void this.keepBeside(next, this.answered(next));
  }

  private async answerTogether(
    callers: Caller<Row, Answer>[],
  ): Promise<readonly Caller<Row, Answer>[]> {
    try {
      const many = () => this.options.many(callers.map(({ row }) => row));
      const answers = await this.traced(callers, many);
      return callers.filter((caller, index) => {
        const answer = answers[index];
        if (answer !== undefined) caller.answer.resolve(answer);
        return answer === undefined;
      });
    } catch (error) {
      if (this.options.isRowsFault(error)) return callers;
      for (const { answer } of callers) answer.reject(error);
      return [];
    }
  }

  /** Traces one statement as one span, linked with its callers' spans. */
  private traced<T>(callers: readonly Caller<Row, Answer>[], statement: () => Promise<T>) {
    const current = tracer();
    if (current === null) return statement();
    const attributes = { 'db.system.name': 'postgresql', 'gateway.rows': callers.length };
    const waiters = callers.map(({ waiter }) => waiter);
    return current.runFor(waiters, { name: this.options.name, attributes }, statement);
  }
}
