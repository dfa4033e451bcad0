import type { UnrelayedCallback } from '../../callbacks/queue/outbox.ts';
import type { DueEventName } from './inngest.ts';

/** Tells Inngest that work is due at `ts` (ms, UTC). It accepts an id once in 24 h. */
export type DueEvent = {
  name: DueEventName;
  id: string;
  ts: number;
  data: { dueAt: number; count?: number };
};

/** Work due within the same slot is one event: one run, however many rows. */
export const SLOT_MS = 250;
/** The due callbacks of one batch of the job: more callbacks make more runs. */
const ROWS_PER_EVENT = 256;
/**
 * The ends that a look announces, the nearest first: a whole minute's would keep a self-hosted
 * Inngest from the due ones for seconds.
 */
const SLOTS_PER_LOOK = 8;
/** The time for which a slot is remembered after its end. */
const MEMORY_MS = 10_000;

const slotEndMs = (ms: number): number => Math.ceil(ms / SLOT_MS) * SLOT_MS;

/**
 * Makes events out of due work, and remembers the future slots that have one, so that a self-hosted
 * Inngest (about 25 runs a second were measured) gets at most four runs a second for each kind,
 * even for a thousand retries.
 *
 * The memory only saves runs: a slot is announced again after a restart.
 */
export class DueEvents {
  /** Names of the events by their slot's end: there may be hundreds of thousands. */
  private readonly announced = new Map<number, Set<DueEvent['name']>>();
  /** A lower bound of the remembered slots' ends. */
  private oldestMs = Number.POSITIVE_INFINITY;

  /**
   * Callbacks due now are one event for a batch of rows, whose id consists of the first row's id
   * and due time. Callbacks due later are one event for their slot, with a future `ts`.
   */
  ofCallbacks(rows: readonly UnrelayedCallback[], now: Date): DueEvent[] {
    const nowMs = now.getTime();
    const events: DueEvent[] = [];
    const slots = new Map<number, UnrelayedCallback[]>();
    for (const row of rows) {
      const dueMs = row.nextAttemptAt.getTime();
      const slotMs = dueMs <= nowMs ? 0 : slotEndMs(dueMs);
      const slot = slots.get(slotMs);
      if (slot) slot.push(row);
      else slots.set(slotMs, [row]);
    }
    for (const [slotMs, inSlot] of slots) {
      if (this.isAnnounced('gateway/callbacks.due', slotMs)) continue;
      const step = slotMs === 0 ? ROWS_PER_EVENT : inSlot.length;
      for (let start = 0; start < inSlot.length; start += step) {
        const batch = inSlot.slice(start, start + step);
        events.push(callbackEvent(batch, slotMs === 0 ? nowMs : slotMs));
      }
    }
    return events;
  }

  /** One event for each slot in which invoices end; of many, the nearest. */
  ofExpiries(slots: readonly Date[]): DueEvent[] {
    return slots
      .map((slot) => slot.getTime())
      .filter((slotMs) => !this.isAnnounced('gateway/invoices.due', slotMs))
      .slice(0, SLOTS_PER_LOOK)
      .map((slotMs) => ({
        name: 'gateway/invoices.due',
        id: `expire:${slotMs}`,
        ts: slotMs,
        data: { dueAt: slotMs },
      }));
  }

  /** Call it when Inngest has accepted the events. */
  remember(events: readonly DueEvent[], now: Date): void {
    const fromMs = slotEndMs(now.getTime() - MEMORY_MS);
    for (const { name, ts } of events) {
      // Work due at once has no slot.
      if (ts < fromMs || ts % SLOT_MS !== 0) continue;
      const names = this.announced.get(ts);
      if (names) names.add(name);
      else this.announced.set(ts, new Set([name]));
      this.oldestMs = Math.min(this.oldestMs, ts);
    }
    // The walk goes from slot to slot, not through all the coming ones. It goes through these if
    // the clock jumped ahead by years, which have more slots.
    if ((fromMs - this.oldestMs) / SLOT_MS > this.announced.size) this.forgetBefore(fromMs);
    for (; this.oldestMs < fromMs; this.oldestMs += SLOT_MS) this.announced.delete(this.oldestMs);
  }

  private forgetBefore(fromMs: number): void {
    for (const slotMs of this.announced.keys()) {
      if (slotMs < fromMs) this.announced.delete(slotMs);
    }
    this.oldestMs = fromMs;
  }

  /** Call it when Inngest may have lost events: every slot is announced again. */
  forget(): void {
    this.announced.clear();
    this.oldestMs = Number.POSITIVE_INFINITY;
  }

  private isAnnounced(name: DueEvent['name'], slotMs: number): boolean {
    return this.announced.get(slotMs)?.has(name) ?? false;
  }
}

function callbackEvent(batch: readonly UnrelayedCallback[], ts: number): DueEvent {
  const [first] = batch;
  if (!first) throw new Error('an event needs a row');
  const dueAt = first.nextAttemptAt.getTime();
  return {
    name: 'gateway/callbacks.due',
    // The due time makes a new event for each attempt and each resend.
    id: `${first.id}:${dueAt}`,
    ts,
    data: { dueAt, count: batch.length },
  };
}
