import { Inngest } from 'inngest';
import { withTimeout } from '../../lib/timeout.ts';
import { settings } from '../../settings/settings.ts';
import type { DueEvent } from './due-events.ts';
import { APP_ID } from './inngest.ts';

/** Inngest did not take the events: closed, silent, or it answered something else. */
export class SendError extends Error {
  override readonly name = 'SendError';
}

/** @throws SendError when the events were not taken within the time limit */
export type SendEvents = (events: readonly DueEvent[]) => Promise<void>;

const SEND_TIMEOUT_MS = 3_000;
const QUIET = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};

/**
 * Sends events to the Inngest that its own variables name, one call at a time.
 *
 * The client of Inngest tries five times and knows no time limit: it waits for ever
 * on a silent server. Hence a limit over all tries, which also aborts the request
 * under way; tries that follow find the signal aborted and end at once.
 */
export function createEventSender({
  timeoutMs = SEND_TIMEOUT_MS,
  ...target
}: {
  timeoutMs?: number;
  baseUrl?: string;
  eventKey?: string;
} = {}): SendEvents {
  // One for each call: by the signal of the next one, tries of a call that was given up would go on.
  const openClient = (signal: AbortSignal) =>
    new Inngest({
      id: APP_ID,
      ...(settings().isProduction ? { isDev: false } : {}),
      ...target,
      // Every failure is told by the error; without this each of five tries is logged.
      internalLogger: QUIET,
      fetch: (url, init) => fetch(url, { ...init, signal }),
    });
  return async (events) => {
    try {
      const client = openClient(AbortSignal.timeout(timeoutMs));
      await withTimeout(timeoutMs, client.send([...events]));
    } catch (error) {
      throw new SendError('Inngest did not take the events', { cause: error });
    }
  };
}
