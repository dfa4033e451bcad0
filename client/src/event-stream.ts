import { checkedNumber } from './checked-number.ts';
import type { Event, EventList } from './contract.ts';
import { sleep, type Transport } from './transport.ts';

export type EventOptions = {
  /** The cursor that was saved last; from the beginning without one. */
  after?: string | null | undefined;
  /** How many events one request fetches, 1 to 1,000; the gateway's 100 by default. */
  pageSize?: number | undefined;
  /** Goes on at the end, and asks again after this pause; without it the iteration ends there. */
  pollMs?: number | undefined;
  /** Ends the iteration with the signal's reason, pauses included. */
  signal?: AbortSignal | undefined;
};

/**
 * The events of a merchant and environment, which remember how far they were read: another iteration
 * goes on from the cursor. Nothing is left out; an event can come again, with the same `event_id`.
 */
export class EventStream implements AsyncIterable<Event> {
  readonly #transport: Transport;
  readonly #options: EventOptions;
  #cursor: string | null;

  /** @throws TypeError that names the invalid option */
  constructor(transport: Transport, options: EventOptions) {
    this.#transport = transport;
    this.#options = options;
    this.#cursor = options.after ?? null;
    if (options.pollMs !== undefined) checkedNumber('pollMs', options.pollMs);
  }

  /**
   * To be saved once an event is handled, and given as `after` to the next run; null before the first
   * answer of a stream from the beginning. The gateway names a place after each page, so that within
   * a page this is its start: a run that ended there is given the page's events again.
   */
  get cursor(): string | null {
    return this.#cursor;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Event, void, undefined> {
    const { pollMs, signal } = this.#options;
    for (;;) {
      const { events, next_cursor: next } = await this.#page();
      for (const [at, event] of events.entries()) {
        if (at === events.length - 1) this.#cursor = next;
        yield event;
      }
      if (events.length > 0) continue;
      this.#cursor = next;
      if (pollMs === undefined) return;
      await sleep(pollMs, signal);
    }
  }

  #page(): Promise<EventList> {
    const { pageSize, signal } = this.#options;
    return this.#transport.call<EventList>({
      method: 'GET',
      path: '/event/list',
      query: { after: this.#cursor, limit: pageSize },
      isRepeatable: true,
      signal,
    });
  }
}
