import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { isClockRight } from '../../db/clock-offset.ts';
import { queryByIndexes } from '../../db/index-plans.ts';
import type { AttemptResult, ClaimedCallback } from '../types.ts';
import {
  claimDue,
  FEW_IN_FLIGHT,
  MAX_IN_FLIGHT,
  MAX_IN_FLIGHT_PER_MERCHANT,
  RESERVED,
  Round,
  releaseLeases,
} from './claim.ts';
import { attempt, type DeliveryContext } from './deliver.ts';
import { LEASE_MS } from './fair-share.ts';
import { HeldCallbacks } from './held-callbacks.ts';
import { Mutex } from './mutex.ts';
import { Recorder } from './recorder.ts';

export type PumpOptions = {
  /** The limit of requests in flight over all merchants. */
  maxInFlight?: number;
  /** The part of it kept for merchants with almost nothing in flight. */
  reserved?: number;
  /** The interval of its own looks for due rows: retries, and rows of a missed wake-up. */
  pollMs?: number;
  /** The room taken by requests that are not its own. */
  beside?: () => number;
};

const POLL_MS = 250;
// Rows that fall due before the next look are claimed on time, but in at most a tenth of the time:
// a claim is slow with thousands of merchants.
const ALARM_GAP = 10;
// A larger claim would come back in one wave of answers, with nothing to send meanwhile. But a
// claim that takes long, because thousands of merchants wait, has to bring more.
const MAX_CLAIM = { worker: 96, heldToFew: 256 };
const MAX_CLAIM_PER_MS = 16;
// A busy pump claims in batches, because a claim costs as much for one row as for twenty: claiming
// takes at most half of the time.
//
// A worker's batches are smaller and more frequent, because it may share its cores with a web. With
// 256 rows the database, the worker and the merchants' servers of a benchmark each hold a core for
// 4 ms, and a create waits for each of them. A create in a burst then takes 11 ms at p99 and not
// 15, and the burst takes a fifth longer.
const SHORTEST_GAP_MS = { worker: 3, heldToFew: 4 };
// A slow claim says nothing about the next.
const LONGEST_GAP_MS = 250;
// Requests that will end within the next moments are replaced ahead, so that no slot is empty
// during a claim; a new claim begins when less than half of the supply is left. Once an eighth of
// the slots end in that time, the supply equals the slots or more; with hanging servers it is
// almost nothing. A pump with a reserve, like the worker's, claims nothing ahead: it would go to
// merchants that hang, and there is room enough. This serves a pump limited to few in flight.
const AHEAD_MS = 60;
const AHEAD_OF_SLOTS = 1 / 8;
const MAX_AHEAD = 512;
// Above this many unrecorded answers nothing is claimed until some are recorded: the database then
// accepts claims but no results.
const MAX_UNRECORDED = 1_024;
const FIRST_PAUSE_MS = 100;
const MAX_PAUSE_MS = 2_000;
const NAMED_IDS = 3;

function givenUpError(lost: readonly AttemptResult[], limitMs: number): Error {
  const ids = lost.slice(0, NAMED_IDS).map(({ invoiceId }) => invoiceId);
  const named = `${ids.join(', ')}${lost.length > ids.length ? ', …' : ''}`;
  return new Error(
    `results not recorded within ${limitMs / 1000} s: ${lost.length}; these callbacks will be sent again: ${named}`,
  );
}

/**
 * Keeps up to `maxInFlight` callbacks in flight: claims as room appears, so that a slow answer
 * delays only its own slot.
 *
 * It looks for due rows when woken, when results were recorded (their merchants have room again),
 * when a claim came back full, when the next one falls due, and every `pollMs`.
 */
export class Pump {
  private readonly context: DeliveryContext;
  private readonly maxInFlight: number;
  private readonly reserved: number;
  private readonly kind: 'worker' | 'heldToFew';
  private readonly held = new HeldCallbacks();
  private readonly mutex = new Mutex();
  private readonly round = new Round();
  private readonly recorder: Recorder;
  private readonly timer: NodeJS.Timeout;
  private readonly pollMs: number;
  private readonly beside: () => number;
  private alarm: NodeJS.Timeout | undefined;
  private isLookingAhead = false;
  private claimTookMs: number;
  /** The callbacks claimed ahead. */
  private readonly waiting: ClaimedCallback[] = [];
  private sending = 0;
  private made = 0;
  private endedSinceClaim = 0;
  private wanted = true;
  /** The last claim took all the room: more is probably due. */
  private moreIsDue = false;
  private isClaiming = false;
  private claimBegunMs = performance.now();
  private nextClaimMs = Number.NEGATIVE_INFINITY;
  /** Requests that end in a millisecond, by the last claims. */
  private endPerMs = 0;
  private claiming: Promise<void> = Promise.resolve();
  private stopping = false;
  private refilling: NodeJS.Immediate | undefined;

  constructor(context: DeliveryContext, options: PumpOptions = {}) {
    this.context = context;
    this.maxInFlight = options.maxInFlight ?? MAX_IN_FLIGHT;
    this.reserved = options.reserved ?? (options.maxInFlight ? 0 : RESERVED);
    this.kind = this.reserved > 0 ? 'worker' : 'heldToFew';
    this.claimTookMs = SHORTEST_GAP_MS[this.kind];
    this.recorder = new Recorder({
      pool: context.pool,
      onRecorded: (results) => this.forget(results),
      // The pause is the same as after a lease.
      onRefused: (result) => this.held.refused(result, { againMs: LEASE_MS }),
      mutex: this.mutex,
      onError: context.onError,
    });
    this.beside = options.beside ?? (() => 0);
    this.pollMs = options.pollMs ?? POLL_MS;
    this.timer = setInterval(() => this.look(), this.pollMs);
    this.look();
  }

  /** Requests in flight now. */
  get inFlight(): number {
    return this.sending;
  }

  /** The number of attempts made. */
  get attempted(): number {
    return this.made;
  }

  /** Whether nothing is in flight or unrecorded, and nothing was due at the last look. */
  get isIdle(): boolean {
    const isLooking = this.isClaiming || this.wanted;
    return !isLooking && this.sending + this.waiting.length + this.recorder.unrecorded === 0;
  }

  /**
   * Looks for due rows. Resolves after that look, or at once if there is no room: it then looks as
   * soon as there is.
   *
   * @returns false if it was stopped before
   */
  async hasLooked(): Promise<boolean> {
    this.wake();
    await this.claiming;
    return !(this.stopping && this.wanted);
  }

  /** Looks for due rows now, or as soon as the present claim has ended. */
  wake(): void {
    if (this.stopping) return;
    this.wanted = true;
    if (!this.isClaiming) this.claiming = this.claim();
  }

  /**
   * Stops claiming, and lets requests in flight end and be recorded. Any not recorded by `limitMs`
   * are given up and reported: their leases run out and they are sent again.
   */
  async stop(limitMs: number): Promise<void> {
    this.stopping = true;
    clearInterval(this.timer);
    clearTimeout(this.alarm);
    const deadline = performance.now() + limitMs;
    await this.claiming;
    while (this.sending + this.waiting.length > 0 && performance.now() < deadline) await sleep(10);
    this.waiting.length = 0;
    const timeout = new AbortController();
    const leftMs = Math.max(0, deadline - performance.now());
    const late = sleep(leftMs, undefined, { signal: timeout.signal }).catch(() => undefined);
    await Promise.race([this.finish(), late]);
    timeout.abort();
    const lost = this.recorder.abandon();
    if (lost.length > 0) this.context.onError(givenUpError(lost, limitMs));
  }

  /** Unrecordable results are left to their leases. */
  private async finish(): Promise<void> {
    await this.recorder.idle();
    if (!this.held.isEmpty) return;
    await releaseLeases(this.context.pool, this.held).catch(this.context.onError);
  }

  private look(): void {
    this.wake();
    void this.lookAhead();
  }

  /** Looks again when the next callback falls due, if that is before the next look. */
  private async lookAhead(): Promise<void> {
    if (this.isLookingAhead) return;
    this.isLookingAhead = true;
    const { pool, clock } = this.context;
    try {
      const due = await nextDue(pool, { now: clock() });
      if (due === null || this.stopping) return;
      const leftMs = Math.max(due.getTime() - clock().getTime() + 1, ALARM_GAP * this.claimTookMs);
      clearTimeout(this.alarm);
      if (leftMs < this.pollMs) this.alarm = setTimeout(() => this.look(), leftMs);
    } catch {
      // The claim that it started reports the database's errors.
    } finally {
      this.isLookingAhead = false;
    }
  }

  /** The claim for this much room: within the reserve only a few for each merchant. */
  private share(room: number): { limit: number; perMerchant: number; isCapped: boolean } {
    const open = room - this.reserved;
    const perMerchant = open > 0 ? MAX_IN_FLIGHT_PER_MERCHANT : FEW_IN_FLIGHT;
    const space = open > 0 ? open : room;
    const most = Math.max(MAX_CLAIM[this.kind], Math.floor(MAX_CLAIM_PER_MS * this.claimTookMs));
    return { limit: Math.min(space, most), perMerchant, isCapped: most < space };
  }

  /** The number to claim ahead of the slots. */
  private ahead(): number {
    if (this.reserved > 0) return 0;
    const soon = Math.floor(this.endPerMs * AHEAD_MS);
    const isQuick = soon > AHEAD_OF_SLOTS * this.maxInFlight;
    return Math.min(isQuick ? Math.max(this.maxInFlight, soon) : soon, MAX_AHEAD);
  }

  private async claim(): Promise<void> {
    this.isClaiming = true;
    let pauseMs = FIRST_PAUSE_MS;
    while (this.wanted && !this.stopping) {
      if (this.recorder.unrecorded > MAX_UNRECORDED) break;
      const ahead = this.ahead();
      if (this.waiting.length > ahead / 2) break;
      const taken = this.beside() + this.sending + this.waiting.length;
      const room = this.maxInFlight + ahead - taken;
      if (room <= 0) break;
      const gapMs = this.nextClaimMs - performance.now();
      if (this.sending > 0 && gapMs > 0) {
        await sleep(gapMs);
        continue;
      }
      this.wanted = false;
      try {
        await this.mutex.take(() => this.claimFor(room));
        pauseMs = FIRST_PAUSE_MS;
      } catch (error) {
        this.context.onError(error);
        await sleep(pauseMs);
        pauseMs = Math.min(pauseMs * 2, MAX_PAUSE_MS);
        this.wanted = true;
      }
    }
    this.isClaiming = false;
  }

  private async claimFor(room: number): Promise<void> {
    if (!(await isClockRight(this.context.pool))) return;
    const begunMs = performance.now();
    const perMs = this.endedSinceClaim / Math.max(begunMs - this.claimBegunMs, 1);
    this.claimBegunMs = begunMs;
    this.endedSinceClaim = 0;
    const { isCapped, ...share } = this.share(room);
    const now = this.context.clock();
    // A capped claim leaves room, and the next one follows at once.
    const round = isCapped ? this.round : undefined;
    const isPart = round?.isUnderWay ?? false;
    const claimed = await claimDue(this.context.pool, { now, ...share, round, held: this.held });
    const tookMs = Math.max(performance.now() - begunMs, SHORTEST_GAP_MS[this.kind]);
    this.claimTookMs = tookMs;
    this.nextClaimMs = begunMs + tookMs + Math.min(tookMs, LONGEST_GAP_MS);
    // The first answers say more than the time before them.
    this.endPerMs = this.endPerMs === 0 ? perMs : (this.endPerMs + perMs) / 2;
    // A part says nothing about the other merchants.
    this.moreIsDue = claimed.length >= share.limit || isPart;
    // There is room for more, and perhaps no answer for long.
    if (this.moreIsDue && isCapped) this.wanted = true;
    this.waiting.push(...claimed);
    this.sendWaiting();
  }

  private sendWaiting(): void {
    while (this.sending < this.maxInFlight) {
      const next = this.waiting.shift();
      if (!next) return;
      this.deliver(next);
    }
  }

  /** Forgets recorded callbacks, whose merchants have room again. */
  private forget(results: readonly AttemptResult[]): void {
    for (const result of results) this.held.forget(result);
    this.wake();
  }

  private deliver(callback: ClaimedCallback): void {
    this.sending += 1;
    void attempt(this.context, callback).then((result) => this.ended(callback, result));
  }

  private ended(callback: ClaimedCallback, result: AttemptResult | null): void {
    this.sending -= 1;
    this.endedSinceClaim += 1;
    if (result) {
      this.made += 1;
      this.held.answered(callback);
      this.recorder.add(result);
    } else this.held.forget(callback);
    // One refill serves all answers of this turn of the loop. It runs after undici has freed their
    // connections, also by an immediate: each request would otherwise open a new connection.
    clearImmediate(this.refilling);
    this.refilling = setImmediate(() => {
      this.sendWaiting();
      if (this.moreIsDue || this.wanted) this.wake();
    });
  }
}

// This is one step in the index of unannounced rows, which are all rows without Inngest.
const NEXT_DUE = `
  SELECT next_attempt_at AS at FROM callbacks
  WHERE state = 'pending' AND relayed_at IS NULL AND next_attempt_at > $1::timestamptz
  ORDER BY next_attempt_at LIMIT 1`;

/**
 * The due time of the next callback after `now`; null when none is known. Callbacks announced to
 * Inngest do not count.
 */
export async function nextDue(pool: pg.Pool, { now }: { now: Date }): Promise<Date | null> {
  const query = { name: 'callbacks_next_due', text: NEXT_DUE, values: [now.toISOString()] };
  const [next] = await queryByIndexes<{ at: Date }>(pool, query);
  return next?.at ?? null;
}
