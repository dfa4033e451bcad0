import { setTimeout as sleep } from 'node:timers/promises';
import { claimDue, MAX_IN_FLIGHT_PER_MERCHANT } from './claim.ts';
import { attempt, type DeliveryContext } from './deliver.ts';
import { Recorder } from './recorder.ts';
import type { ClaimedCallback } from './types.ts';

export type PumpOptions = {
  /** Requests in flight over all merchants. */
  maxInFlight?: number;
  /** How much of that is kept for merchants with next to nothing in flight. */
  reserved?: number;
  /** How often it looks for due rows by itself: retries, and rows of a missed wake-up. */
  pollMs?: number;
};

const MAX_IN_FLIGHT = 2_048;
// Without it some two hundred servers that hang would fill all the room, and
// everybody else would wait for their ten seconds.
const RESERVED = 512;
const FEW_IN_FLIGHT = 2;
const POLL_MS = 250;
// While it is busy it claims in batches: a claim costs as much for one row as for twenty.
const BUSY_GAP_MS = 4;
const FIRST_PAUSE_MS = 100;
const MAX_PAUSE_MS = 2_000;

/**
 * Keeps up to `maxInFlight` callbacks in flight: claims as room appears, so that a
 * slow answer holds up nothing but its own slot.
 *
 * It looks for due rows when woken, when results were recorded (their merchants
 * have room again), when a claim came back full, and every `pollMs`.
 */
export class Pump {
  private readonly context: DeliveryContext;
  private readonly maxInFlight: number;
  private readonly reserved: number;
  private readonly recorder: Recorder;
  private readonly timer: NodeJS.Timeout;
  private sending = 0;
  private wanted = true;
  /** The last claim took all the room there was: more is probably due. */
  private moreIsDue = false;
  private isClaiming = false;
  private lastClaimMs = Number.NEGATIVE_INFINITY;
  private claiming: Promise<void> = Promise.resolve();
  private stopping = false;

  constructor(context: DeliveryContext, options: PumpOptions = {}) {
    this.context = context;
    this.maxInFlight = options.maxInFlight ?? MAX_IN_FLIGHT;
    this.reserved = options.reserved ?? (options.maxInFlight ? 0 : RESERVED);
    this.recorder = new Recorder({
      db: context.pool,
      onRecorded: () => this.wake(),
      onError: context.onError,
    });
    this.timer = setInterval(() => this.wake(), options.pollMs ?? POLL_MS);
    this.wake();
  }

  /** Requests in flight now. */
  get inFlight(): number {
    return this.sending;
  }

  /** Looks for due rows now, or as soon as the claim under way has ended. */
  wake(): void {
    if (this.stopping) return;
    this.wanted = true;
    if (!this.isClaiming) this.claiming = this.claim();
  }

  /**
   * Stops claiming, lets what is in flight end and be recorded. What has not by
   * `limitMs` is given up: its lease runs out and it is sent again.
   */
  async stop(limitMs: number): Promise<void> {
    this.stopping = true;
    clearInterval(this.timer);
    const deadline = performance.now() + limitMs;
    await this.claiming;
    while (this.sending > 0 && performance.now() < deadline) await sleep(10);
    const timeout = new AbortController();
    const leftMs = Math.max(0, deadline - performance.now());
    const late = sleep(leftMs, undefined, { signal: timeout.signal }).catch(() => undefined);
    await Promise.race([this.recorder.idle(), late]);
    timeout.abort();
    this.recorder.abandon();
  }

  /** What may be claimed with so much room: within the reserve only a few for a merchant. */
  private share(room: number): { limit: number; perMerchant: number } {
    const open = room - this.reserved;
    return open > 0
      ? { limit: open, perMerchant: MAX_IN_FLIGHT_PER_MERCHANT }
      : { limit: room, perMerchant: FEW_IN_FLIGHT };
  }

  private async claim(): Promise<void> {
    this.isClaiming = true;
    let pauseMs = FIRST_PAUSE_MS;
    while (this.wanted && !this.stopping) {
      const room = this.maxInFlight - this.sending;
      if (room <= 0) break;
      const earliestMs = this.lastClaimMs + BUSY_GAP_MS;
      if (room < this.maxInFlight / 2 && performance.now() < earliestMs) {
        await sleep(earliestMs - performance.now());
        continue;
      }
      this.wanted = false;
      this.lastClaimMs = performance.now();
      try {
        const share = this.share(room);
        const claimed = await claimDue(this.context.pool, {
          now: this.context.clock(),
          ...share,
        });
        pauseMs = FIRST_PAUSE_MS;
        this.moreIsDue = claimed.length >= share.limit;
        for (const callback of claimed) void this.deliver(callback);
      } catch (error) {
        this.context.onError(error);
        await sleep(pauseMs);
        pauseMs = Math.min(pauseMs * 2, MAX_PAUSE_MS);
        this.wanted = true;
      }
    }
    this.isClaiming = false;
  }

  private async deliver(callback: ClaimedCallback): Promise<void> {
    this.sending += 1;
    const result = await attempt(this.context, callback);
    this.sending -= 1;
    if (result) this.recorder.add(result);
    if (this.moreIsDue) this.wake();
  }
}
