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
  /** Requests in flight over all merchants. */
  maxInFlight?: number;
  /** How much of that is kept for merchants with next to nothing in flight. */
  reserved?: number;
  /** How often it looks for due rows by itself: retries, and rows of a missed wake-up. */
  pollMs?: number;
  /** How much of the room is taken by requests that are not its own. */
  beside?: () => number;
};

const POLL_MS = 250;
// What falls due until the next look is claimed when it does, but so that a tenth of the time at
// most goes into claiming for it: with thousands of merchants a claim takes its time.
const ALARM_GAP = 10;
// More would come back in one wave of answers, with nothing to send while that is dealt with. But
// where a claim takes long, since thousands of merchants are waited for, it has to bring more.
const MAX_CLAIM = { worker: 96, heldToFew: 256 };
const MAX_CLAIM_PER_MS = 16;
// While it is busy it claims in batches, since a claim costs as much for one row as for
// twenty: at most half of the time goes into claiming.
//
// A worker's batches are smaller and come more often, for it may share its cores with a web: with
// 256 rows the database, the worker and the merchants' servers of a benchmark hold one for 4 ms
// each, and a create waits for each of them. In a burst it is 11 ms then at p99 and not 15, and the
// burst takes a fifth longer.
const SHORTEST_GAP_MS = { worker: 3, heldToFew: 4 };
// One that hung says nothing of the next.
const LONGEST_GAP_MS = 250;
// What will end within the next moments is claimed ahead, so that no slot stands empty while a
// claim is under way; a new claim begins when less than half of it is left. Once an eighth of the
// slots end in that time, it is as many as there are slots or more; where servers hang, hardly
// anything. With a reserve, as the worker has one, nothing: it would go to merchants that hang,
// and there is room enough. It is for a pump that is held to few in flight.
const AHEAD_MS = 60;
const AHEAD_OF_SLOTS = 1 / 8;
const MAX_AHEAD = 512;
// Beyond so many answers nothing is claimed until some are recorded: the database takes claims
// and no results then.
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
 * Keeps up to `maxInFlight` callbacks in flight: claims as room appears, so that a
 * slow answer holds up nothing but its own slot.
 *
 * It looks for due rows when woken, when results were recorded (their merchants
 * have room again), when a claim came back full, when the next one falls due, and every `pollMs`.
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
  /** Claimed ahead. */
  private readonly waiting: ClaimedCallback[] = [];
  private sending = 0;
  private made = 0;
  private endedSinceClaim = 0;
  private wanted = true;
  /** The last claim took all the room there was: more is probably due. */
  private moreIsDue = false;
  private isClaiming = false;
  private claimBegunMs = performance.now();
  private nextClaimMs = Number.NEGATIVE_INFINITY;
  /** How many requests end in a millisecond, as the last claims saw it. */
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
      // As after a lease.
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

  /** How many attempts it has made. */
  get attempted(): number {
    return this.made;
  }

  /** Nothing is in flight or to be recorded, and nothing was due at the last look. */
  get isIdle(): boolean {
    const isLooking = this.isClaiming || this.wanted;
    return !isLooking && this.sending + this.waiting.length + this.recorder.unrecorded === 0;
  }

  /**
   * Looks for due rows. Resolves after that look, or at once where there is no room: it looks as soon
   * as there is.
   *
   * @returns false where it was stopped before
   */
  async hasLooked(): Promise<boolean> {
    this.wake();
    await this.claiming;
    return !(this.stopping && this.wanted);
  }

  /** Looks for due rows now, or as soon as the claim under way has ended. */
  wake(): void {
    if (this.stopping) return;
    this.wanted = true;
    if (!this.isClaiming) this.claiming = this.claim();
  }

  /**
   * Stops claiming, lets what is in flight end and be recorded. What has not by
   * `limitMs` is given up and told: its lease runs out and it is sent again.
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

  /** What cannot be recorded is left to its leases. */
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
      // The claim that began with it tells of the database.
    } finally {
      this.isLookingAhead = false;
    }
  }

  /** What may be claimed with so much room: within the reserve only a few for a merchant. */
  private share(room: number): { limit: number; perMerchant: number; isCapped: boolean } {
    const open = room - this.reserved;
    const perMerchant = open > 0 ? MAX_IN_FLIGHT_PER_MERCHANT : FEW_IN_FLIGHT;
    const space = open > 0 ? open : room;
    const most = Math.max(MAX_CLAIM[this.kind], Math.floor(MAX_CLAIM_PER_MS * this.claimTookMs));
    return { limit: Math.min(space, most), perMerchant, isCapped: most < space };
  }

  /** How many to claim ahead of the slots. */
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
    // The first answers say more than the time before there were any.
    this.endPerMs = this.endPerMs === 0 ? perMs : (this.endPerMs + perMs) / 2;
    // Of a part, nobody knows what the others have.
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

  /** Their merchants have room again. */
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
    // Once for all answers of this turn of the loop, and after undici has set their
    // connections free, which it does by an immediate as well: sent before that, each
    // request would open a connection of its own.
    clearImmediate(this.refilling);
    this.refilling = setImmediate(() => {
      this.sendWaiting();
      if (this.moreIsDue || this.wanted) this.wake();
    });
  }
}

// One step in the index of what nobody has announced, which is everything where no Inngest is.
const NEXT_DUE = `
  SELECT next_attempt_at AS at FROM callbacks
  WHERE state = 'pending' AND relayed_at IS NULL AND next_attempt_at > $1::timestamptz
  ORDER BY next_attempt_at LIMIT 1`;

/**
 * When the next callback falls due after `now`; null when none is known. One that Inngest was
 * told of is not looked at.
 */
export async function nextDue(pool: pg.Pool, { now }: { now: Date }): Promise<Date | null> {
  const query = { name: 'callbacks_next_due', text: NEXT_DUE, values: [now.toISOString()] };
  const [next] = await queryByIndexes<{ at: Date }>(pool, query);
  return next?.at ?? null;
}
