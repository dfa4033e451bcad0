import { Inngest } from 'inngest';
import { withTimeout } from '../../lib/timeout.ts';
import { settings } from '../../settings/settings.ts';
import type { DueEvent } from './due-events.ts';
import { APP_ID } from './inngest.ts';

/** Inngest did not accept the events: closed, silent, or another answer. */
export class SendError extends Error {
  override readonly name = 'SendError';
}

/** @throws SendError when the events were not accepted within the time limit */
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
 * Inngest's client tries five times without a time limit: it waits for ever on a silent server. The
 * limit here covers all tries, and also aborts the request under way; later tries find the signal
 * aborted and end at once.
 */
export function createEventSender({
  timeoutMs = SEND_TIMEOUT_MS,
  ...target
}: {
  timeoutMs?: number;
  baseUrl?: string;
  eventKey?: string;
} = {}): SendEvents {
  // Each call has its own: with the next call's signal, abandoned tries would continue.
  const openClient = (signal: AbortSignal) =>
    new Inngest({
      id: APP_ID,
      ...(settings().isProduction ? { isDev: false } : {}),
      ...target,
      // The error tells every failure; the SDK would otherwise log each of five tries.
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
