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
  /** Makes Inngest know our functions; rejects when that did not work, or at the signal. */
  register: (signal: AbortSignal) => Promise<void>;
  /** Starts what runs the jobs within this process while Inngest does not. */
  startFallback: () => Driver;
  clock: () => Date;
  onError: (task: string, error: unknown) => void;
  /** How often it looks without being woken. */
  tickMs?: number;
};

const TICK_MS = 250;
/** After a send: what commits meanwhile shares an event and a run. */
const GAP_MS = 200;
/** After a look that found nothing, so that many wake-ups cost few looks. */
const IDLE_GAP_MS = 20;
const ROWS_LIMIT = 2_000;
/**
 * How far ahead ends of invoices are announced: a worker that is away for less is
 * not noticed, and by then the sweep of each minute has come by.
 */
const LOOK_AHEAD_MS = 60_000;
/** An invoice may be made shortly before its end: those slots are looked at again. */
const LOOK_BACK_MS = 1_000;
/** Work that waits longer than Inngest usually takes is announced again. */
const NUDGE_AFTER_MS = 1_000;
const NUDGE_EVERY_MS = 1_000;
/** Work that waits this long although events are taken is done by the worker. */
const TAKE_OVER_AFTER_MS = 10_000;
/** While the worker does Inngest's work: only its runs show that it works again. */
const PROBE_EVERY_MS = 5_000;
/** So often in a row: a merchant's long backlog has room for one more at many a moment. */
const TAKE_OVER_LOOKS = 3;
const FIRST_PAUSE_MS = 500;
const MAX_PAUSE_MS = 5_000;
const FIRST_REGISTER_PAUSE_MS = 1_000;
const MAX_REGISTER_PAUSE_MS = 10_000;
/** A web that starts beside this worker, or anew, answers after some seconds: fewer are no error. */
const REGISTER_ERROR_AFTER = 4;
/**
 * Repeated, because during an upgrade the web that answers may be an old one, which registers the
 * old functions. To register the same again costs Inngest nothing.
 */
const REGISTER_EVERY_MS = 120_000;
// Any number that no other advisory lock of the gateway uses.
const RELAY_LOCK = 4_710_002;

type WaitingSince = (db: Queryable, at: { now: Date }) => Promise<Date | null>;

const WAITING: readonly { name: DueEventName; since: WaitingSince; afterMs: number }[] = [
  { name: 'gateway/callbacks.due', since: callbacksWaitingSince, afterMs: NUDGE_AFTER_MS },
  { name: 'gateway/invoices.due', since: expiriesWaitingSince, afterMs: NUDGE_AFTER_MS },
  // Recoveries are rare and not announced ahead: this is their event.
  { name: 'gateway/payments.due', since: recoveriesWaitingSince, afterMs: 0 },
];

/**
 * Tells Inngest of committed due work, outside of any request: callbacks by their
 * rows, ends of invoices ahead of time by slots, and whatever waits longer than it
 * should, which also finds events that Inngest has lost.
 *
 * A row counts as relayed when Inngest has taken its event and not before, so that
 * nothing is lost; what is told twice does no harm. Of several workers one relays,
 * held by a lock that ends with its connection.
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
  // By a clock that nobody sets: set back by an hour, the other would stop both for as long.
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

  /** The worker runs the jobs itself at present. */
  get isFallingBack(): boolean {
    return this.fallback.isActive;
  }

  /** Looks soon: something was committed. */
  wake(): void {
    this.isWoken = true;
    this.wakeUp?.();
  }

  async stop(): Promise<void> {
    this.stopped.abort();
    // The fallback at once: a send, or a web that hangs, must not take the time of its deliveries.
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
      // Inngest holds an event back until its time, and whoever relays keeps the others from it.
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
        // It may come back without what it knew of us.
        this.registerAtMs = Math.min(this.registerAtMs, performance.now());
      }
      onError('relay', error);
    }
  }

  private async relay(client: Queryable, now: Date): Promise<void> {
    this.registerWhenDue();
    const { db, send } = this.options;
    // First: whether Inngest has the jobs again decides what is announced anew.
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

  // Not in the transaction of the lock: a run that comes quickly must not find the
  // rows locked, since claims skip such rows.
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

  /** Each second: whether Inngest works, and events of what waits for it; as a probe of all there are. */
  private async nudges(client: Queryable, now: Date): Promise<DueEvent[]> {
    const atMs = performance.now();
    if (atMs - this.lastNudgeMs < NUDGE_EVERY_MS) return [];
    this.lastNudgeMs = atMs;
    const wasActive = this.fallback.isActive;
    this.fallback.sawRuns(await readRunCounts(client), atMs);
    // What it took before it failed it may have lost; what it has kept it knows by the id.
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

  /** At the start, after a take-over, every two minutes, and sooner until it has worked. */
  private registerWhenDue(): void {
    const { signal } = this.stopped;
    const nowMs = performance.now();
    if (signal.aborted || this.isRegistering || nowMs < this.registerAtMs) return;
    this.isRegistering = true;
    // Unless somebody wants it sooner, perhaps while this one is under way.
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
