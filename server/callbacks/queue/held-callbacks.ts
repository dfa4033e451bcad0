import { randomUUID } from 'node:crypto';
import type { AttemptResult, ClaimedCallback } from '../types.ts';
import { QUEUES, queueOf } from './queues.ts';

const NUMBERS = Object.values(QUEUES);

type Held = {
  id: string;
  dueAt: string;
  queue: number;
  answered: boolean;
  /** Infinite, except for a result that the database rejected. */
  untilMs: number;
};
type Named = Pick<AttemptResult, 'id' | 'merchantId'>;

/**
 * The claimed callbacks of one holder without a recorded result. The holder (a pump, or a job's
 * run) states them in each claim, for itself and, by its leases, for all others.
 */
export class HeldCallbacks {
  /** The name of the holder's leases. */
  readonly id = randomUUID();
  // A merchant has a list of seldom more than ten or twenty: see the deadlines in send.ts for what
  // a Map of them would leave behind.
  private readonly merchants = new Map<string, Held[]>();

  get isEmpty(): boolean {
    return this.merchants.size === 0;
  }

  /** Adds claimed callbacks: they count as in flight, though some may wait for a slot. */
  add(claimed: readonly ClaimedCallback[]): void {
    for (const callback of claimed) {
      const { merchantId, id, dueAt } = callback;
      const queue = queueOf(callback);
      let own = this.merchants.get(merchantId);
      if (!own) {
        own = [];
        this.merchants.set(merchantId, own);
      }
      own.push({ id, dueAt, queue, answered: false, untilMs: Number.POSITIVE_INFINITY });
    }
  }

  /** Not recorded yet: nobody else may claim the callback, but its merchant has room again. */
  answered(named: Named): void {
    const held = this.find(named);
    if (held) held.answered = true;
  }

  /** The database rejects the result: the callback is sent again, but not at once. */
  refused(named: Named, { againMs }: { againMs: number }): void {
    const held = this.find(named);
    if (held?.answered) held.untilMs = performance.now() + againMs;
  }

  /** The result is recorded, or given up. */
  forget({ merchantId, id }: Named): void {
    const own = this.merchants.get(merchantId);
    const at = own?.findIndex((held) => held.id === id) ?? -1;
    if (at >= 0) own?.splice(at, 1);
    if (own?.length === 0) this.merchants.delete(merchantId);
  }

  private find({ merchantId, id }: Named): Held | undefined {
    return this.merchants.get(merchantId)?.find((held) => held.id === id);
  }

  /**
   * Columns for a statement: merchants, and for each, separated by commas, its requests in flight
   * by queue, its callbacks and their due times.
   */
  byMerchant(nowMs = performance.now()): [string[], string[], string[], string[]] {
    const merchantIds: string[] = [];
    const inFlight: string[] = [];
    const callbackIds: string[] = [];
    const dueAts: string[] = [];
    const over: Named[] = [];
    for (const [merchantId, own] of this.merchants) {
      const sending = NUMBERS.map(() => 0);
      const ids: string[] = [];
      const dues: string[] = [];
      for (const { id, dueAt, queue, answered, untilMs } of own) {
        if (untilMs <= nowMs) {
          over.push({ merchantId, id });
          continue;
        }
        if (!answered) sending[queue - 1] = (sending[queue - 1] ?? 0) + 1;
        ids.push(id);
        dues.push(dueAt);
      }
      if (ids.length === 0) continue;
      merchantIds.push(merchantId);
      inFlight.push(sending.join(','));
      callbackIds.push(ids.join(','));
      dueAts.push(dues.join(','));
    }
    for (const each of over) this.forget(each);
    return [merchantIds, inFlight, callbackIds, dueAts];
  }
}
