import { log } from '../log.ts';
import type { Driver } from './embedded-driver.ts';

/** An Inngest that was stopped takes events some seconds before it runs functions again. */
const LINGER_MS = 15_000;
const FIRST_HOLD_MS = 30_000;
const MAX_HOLD_MS = 600_000;

/**
 * Runs the embedded driver within the worker while Inngest does not do its work.
 *
 * Both may run at once, since every claim is guarded, so nothing is gained by waiting:
 * it begins with the first send that fails and ends a while after the first that works.
 * When sends work but due work is left lying (functions not registered, wrong key, our
 * address not reached), only trying shows whether it got better: the driver runs for
 * half a minute, then each time twice as long, up to ten minutes.
 */
export class Fallback {
  private readonly start: () => Driver;
  private driver: Driver | null = null;
  private isStopped = false;
  private stopping: Promise<void> = Promise.resolve();
  /** Until when it runs at least; Infinity while sends fail. */
  private untilMs = 0;
  private holdMs = FIRST_HOLD_MS;

  constructor(start: () => Driver) {
    this.start = start;
  }

  get isActive(): boolean {
    return this.driver !== null;
  }

  /** Whether a send that works would change anything now. */
  awaitsSend(now: Date): boolean {
    const isOver = this.untilMs === Number.POSITIVE_INFINITY || now.getTime() >= this.untilMs;
    return this.driver !== null && isOver;
  }

  sendFailed(): void {
    this.untilMs = Number.POSITIVE_INFINITY;
    this.begin('Inngest does not take events');
  }

  workWaits(now: Date): void {
    if (this.driver) return;
    const nowMs = now.getTime();
    // Long after the last time this is another trouble.
    if (nowMs > this.untilMs + MAX_HOLD_MS) this.holdMs = FIRST_HOLD_MS;
    this.untilMs = nowMs + this.holdMs;
    this.holdMs = Math.min(this.holdMs * 2, MAX_HOLD_MS);
    this.begin('Inngest takes events, but due work is left lying');
  }

  sendWorked(now: Date): void {
    if (this.untilMs === Number.POSITIVE_INFINITY) this.untilMs = now.getTime() + LINGER_MS;
    if (this.driver && now.getTime() >= this.untilMs) this.end('Inngest has the jobs again');
  }

  /** For good: a send that fails later begins nothing. */
  async stop(): Promise<void> {
    this.isStopped = true;
    if (this.driver) this.end('worker stopping');
    await this.stopping;
  }

  private begin(why: string): void {
    if (this.driver || this.isStopped) return;
    log().warn({ why }, 'the worker runs the jobs itself');
    this.driver = this.start();
  }

  private end(why: string): void {
    log().warn({ why }, 'the worker hands the jobs back');
    const stopped = this.driver?.stop();
    this.driver = null;
    this.stopping = Promise.all([this.stopping, stopped]).then(() => undefined);
    this.stopping.catch((err: unknown) => log().error({ err }, 'the jobs did not stop cleanly'));
  }
}
