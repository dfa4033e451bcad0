import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import {
  callbacksWaitingSince,
  findUnrelayed,
  markRelayed,
  type UnrelayedCallback,
} from '../../callbacks/queue/outbox.ts';
import { isClockRight } from '../../db/clock-offset.ts';
import { planInOrder } from '../../db/index-plans.ts';
import { inTransaction, type Queryable } from '../../db/pool.ts';
import { expiriesWaitingSince, upcomingExpiries } from '../../invoices/upcoming.ts';
import { recoveriesWaitingSince } from '../../payments/data.ts';
import type { Driver } from '../embedded-driver.ts';
import { type DueEvent, DueEvents, SLOT_MS } from './due-events.ts';
import { SendError, type SendEvents } from './event-sender.ts';
import { Fallback } from './fallback.ts';
import type { DueEventName } from './inngest.ts';
import { readRunCounts } from './runs.ts';

export type RelayOptions = {
  db: pg.Pool;
  send: SendEvents;
  /** Registers our functions with Inngest; rejects if that failed, or at the signal. */
  register: (signal: AbortSignal) => Promise<void>;
  /** Starts the jobs within this process while Inngest does not run them. */
  startFallback: () => Driver;
  clock: () => Date;
  onError: (task: string, error: unknown) => void;
  /** The interval of looks without a wake-up. */
  tickMs?: number;
};

const TICK_MS = 250;
/** The pause after a send: later commits share an event and a run. */
const GAP_MS = 200;
/** The pause after an empty look, so that many wake-ups cost few looks. */
const IDLE_GAP_MS = 20;
const ROWS_LIMIT = 2_000;
/**
 * The time for which ends of invoices are announced ahead: a shorter absence of a worker is not
 * noticed, and each minute's sweep covers longer ones.
 */
const LOOK_AHEAD_MS = 60_000;
/** An invoice may be made shortly before its end: those slots are read again. */
const LOOK_BACK_MS = 1_000;
/** Work that waits longer than Inngest usually takes is announced again. */
const NUDGE_AFTER_MS = 1_000;
const NUDGE_EVERY_MS = 1_000;
/** The worker does work that waits this long although events are accepted. */
const TAKE_OVER_AFTER_MS = 10_000;
/** The interval while the worker does Inngest's work: only its runs show that it works again. */
const PROBE_EVERY_MS = 5_000;
/** The number of looks in a row: a merchant's long backlog often has room for one more. */
const TAKE_OVER_LOOKS = 3;
const FIRST_PAUSE_MS = 500;
const MAX_PAUSE_MS = 5_000;
const FIRST_REGISTER_PAUSE_MS = 1_000;
const MAX_REGISTER_PAUSE_MS = 10_000;
/** A web that starts beside this worker answers after some seconds: fewer are no error. */
const REGISTER_ERROR_AFTER = 4;
/**
 * The registration repeats, because an old web may answer during an upgrade and register the old
 * functions. Registering the same again costs Inngest nothing.
 */
const REGISTER_EVERY_MS = 120_000;
// The number differs from every other advisory lock of the gateway.
const RELAY_LOCK = 4_710_002;

type WaitingSince = (db: Queryable, at: { now: Date }) => Promise<Date | null>;

const WAITING: readonly { name: DueEventName; since: WaitingSince; afterMs: number }[] = [
  { name: 'gateway/callbacks.due', since: callbacksWaitingSince, afterMs: NUDGE_AFTER_MS },
  { name: 'gateway/invoices.due', since: expiriesWaitingSince, afterMs: NUDGE_AFTER_MS },
  // Recoveries are rare and not announced ahead: this is their event.
  { name: 'gateway/payments.due', since: recoveriesWaitingSince, afterMs: 0 },
];

/**
 * Tells Inngest of committed due work, outside of any request: callbacks by their rows, ends of
 * invoices ahead of time by slots, and all overdue work, which includes events that Inngest has
 * lost.
 *
 * A row counts as relayed only when Inngest has accepted its event, so that nothing is lost; a
 * repeated event does no harm. One of several workers relays, chosen by a lock that ends with its
 * connection.
 */
export class Relay {
  private readonly options: RelayOptions;
  private readonly events = new DueEvents();
  private readonly fallback: Fallback;
  private readonly stopped = new AbortController();
  private readonly running: Promise<void>;
  private wakeUp: (() => void) | null = null;
  private isWoken = false;
  private hasSent = false;
  private failures = 0;
  // This clock is never set: the other, set back by an hour, would stop both for as long.
  private lastNudgeMs = Number.NEGATIVE_INFINITY;
  private lastProbeMs = Number.NEGATIVE_INFINITY;
  private registerAtMs = Number.NEGATIVE_INFINITY;
  private registerFailures = 0;
  private isRegistering = false;
  private looksInVain = 0;
  private registering: Promise<void> = Promise.resolve();

  constructor(options: RelayOptions) {
    this.options = options;
    this.fallback = new Fallback(options.startFallback);
    this.running = this.run();
  }

  /** Whether the worker runs the jobs itself at present. */
  get isFallingBack(): boolean {
    return this.fallback.isActive;
  }

  /** Looks soon, because something was committed. */
  wake(): void {
    this.isWoken = true;
    this.wakeUp?.();
  }

  async stop(): Promise<void> {
    this.stopped.abort();
    // The fallback stops at once: a send or a hanging web must not take its deliveries' time.
    const ended = this.running.then(() => this.registering);
    await Promise.all([this.fallback.stop(), ended]);
  }

  private async run(): Promise<void> {
    const { signal } = this.stopped;
    while (!signal.aborted) {
      this.isWoken = false;
      this.hasSent = false;
      await this.look();
      if (signal.aborted) break;
      const gapMs = this.hasSent ? GAP_MS : IDLE_GAP_MS;
      const pauseMs = this.failures === 0 ? gapMs : this.backOffMs();
      await sleep(pauseMs, undefined, { signal }).catch(() => undefined);
      const tickMs = this.options.tickMs ?? TICK_MS;
      if (this.failures === 0) await this.untilWoken(tickMs - pauseMs);
    }
  }

  private backOffMs(): number {
    return Math.min(FIRST_PAUSE_MS * 2 ** (this.failures - 1), MAX_PAUSE_MS);
  }

  private async untilWoken(limitMs: number): Promise<void> {
    if (this.isWoken) return;
    const woken = new Promise<void>((resolve) => {
      this.wakeUp = resolve;
    });
    const { signal } = this.stopped;
    const tick = sleep(limitMs, undefined, { signal }).catch(() => undefined);
    await Promise.race([woken, tick]);
    this.wakeUp = null;
  }

  private async look(): Promise<void> {
    const { db, clock, onError } = this.options;
    try {
      // Inngest holds events back until their time, and the relaying worker blocks the others.
      if (!(await isClockRight(db))) return;
      await inTransaction(db, async (client) => {
        const { rows } = await client.query<{ leads: boolean }>(
          `SELECT pg_try_advisory_xact_lock(${RELAY_LOCK}) AS leads`,
        );
        if (!rows[0]?.leads) return;
        await planInOrder(client);
        await this.relay(client, clock());
      });
      this.failures = 0;
    } catch (error) {
      this.failures += 1;
      if (error instanceof SendError) {
        this.fallback.sendFailed();
        // Inngest may come back without its knowledge of us.
        this.registerAtMs = Math.min(this.registerAtMs, performance.now());
      }
      onError('relay', error);
    }
  }

  private async relay(client: Queryable, now: Date): Promise<void> {
    this.registerWhenDue();
    const { db, send } = this.options;
    // This comes first: whether Inngest has the jobs again decides the announcements.
    const nudges = await this.nudges(client, now);
    const rows = await findUnrelayed(client, { limit: ROWS_LIMIT });
    const events = [
      ...this.events.ofCallbacks(rows, now),
      ...this.events.ofExpiries(await this.slotsAhead(client, now)),
      ...nudges,
    ];
    if (events.length > 0) {
      await send(events);
      this.hasSent = true;
      this.events.remember(events, now);
    }
    await this.mark(db, rows, now);
  }

  // It runs outside the lock's transaction: a quick run must not find the rows locked, because
  // claims skip such rows.
  private async mark(db: pg.Pool, rows: readonly UnrelayedCallback[], now: Date): Promise<void> {
    if (rows.length === 0) return;
    await markRelayed(db, rows, { now });
    if (rows.length === ROWS_LIMIT) this.isWoken = true;
  }

  private slotsAhead(client: Queryable, now: Date): Promise<Date[]> {
    const nowMs = now.getTime();
    const from = new Date(Math.floor((nowMs - LOOK_BACK_MS) / SLOT_MS) * SLOT_MS);
    const until = new Date(nowMs + LOOK_AHEAD_MS);
    return upcomingExpiries(client, { from, until, slotMs: SLOT_MS });
  }

  /** Each second: checks Inngest, and makes events for overdue work; for all work as a probe. */
  private async nudges(client: Queryable, now: Date): Promise<DueEvent[]> {
    const atMs = performance.now();
    if (atMs - this.lastNudgeMs < NUDGE_EVERY_MS) return [];
    this.lastNudgeMs = atMs;
    const wasActive = this.fallback.isActive;
    this.fallback.sawRuns(await readRunCounts(client), atMs);
    // Inngest may have lost the events before its failure; it recognises kept ones by the id.
    if (wasActive && !this.fallback.isActive) this.events.forget();
    const isProbe = this.fallback.isActive && atMs - this.lastProbeMs >= PROBE_EVERY_MS;
    if (isProbe) this.lastProbeMs = atMs;
    const nowMs = now.getTime();
    const events: DueEvent[] = [];
    let isLeftLying = false;
    for (const { name, since, afterMs } of WAITING) {
      const dueMs = (await since(client, { now }))?.getTime();
      const waits = dueMs !== undefined && nowMs - dueMs >= afterMs;
      if (!waits && !isProbe) continue;
      const dueAt = dueMs ?? nowMs;
      events.push({ name, id: `${name}:${nowMs}`, ts: nowMs, data: { dueAt } });
      isLeftLying ||= nowMs - dueAt > TAKE_OVER_AFTER_MS;
    }
    this.looksInVain = isLeftLying ? this.looksInVain + 1 : 0;
    if (this.looksInVain >= TAKE_OVER_LOOKS) this.fallback.workWaits(atMs);
    if (!wasActive && this.fallback.isActive) {
      this.registerAtMs = Math.min(this.registerAtMs, atMs);
    }
    return events;
  }

  /** Registers at the start, after a take-over, every two minutes, and sooner after a failure. */
  private registerWhenDue(): void {
    const { signal } = this.stopped;
    const nowMs = performance.now();
    if (signal.aborted || this.isRegistering || nowMs < this.registerAtMs) return;
    this.isRegistering = true;
    // A caller may want it sooner, perhaps during this one.
    this.registerAtMs = nowMs + REGISTER_EVERY_MS;
    this.registering = this.options.register(signal).then(
      () => {
        this.isRegistering = false;
        this.registerFailures = 0;
      },
      (error: unknown) => {
        this.isRegistering = false;
        if (signal.aborted) return;
        this.registerFailures += 1;
        const pauseMs = FIRST_REGISTER_PAUSE_MS * 2 ** (this.registerFailures - 1);
        this.registerAtMs = performance.now() + Math.min(pauseMs, MAX_REGISTER_PAUSE_MS);
        if (this.registerFailures >= REGISTER_ERROR_AFTER) {
          this.options.onError('registering with Inngest', error);
        }
      },
    );
  }
}
