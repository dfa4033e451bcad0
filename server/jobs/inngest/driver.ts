import { settings } from '../../settings/settings.ts';
import {
  type Driver,
  type DriverOptions,
  listenForDue,
  startEmbeddedDriver,
} from '../embedded-driver.ts';
import { createEventSender } from './event-sender.ts';
import { INNGEST_PATH, REGISTER_TIMEOUT_MS } from './inngest.ts';
import { Relay } from './relay.ts';

/** Has a `web` process register its functions with Inngest, as each new version requires. */
async function register(signal: AbortSignal): Promise<void> {
  const response = await fetch(`${settings().inngestServeOrigin}${INNGEST_PATH}`, {
    method: 'PUT',
    signal: AbortSignal.any([signal, AbortSignal.timeout(REGISTER_TIMEOUT_MS)]),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`registering answered ${response.status}: ${text}`);
}

/** Starts the Inngest driver: relays due work, and runs it here while Inngest does not. */
export function startInngestDriver(options: DriverOptions): Driver {
  const { pool, report } = options;
  const relay = new Relay({
    db: pool,
    send: createEventSender(),
    register,
    startFallback: () => startEmbeddedDriver(options),
    clock: () => new Date(),
    onError: report,
  });
  const listener = listenForDue(options, () => relay.wake());
  return {
    state: () => (relay.isFallingBack ? 'fallback' : 'inngest'),
    stop: async () => {
      await Promise.all([listener.stop(), relay.stop()]);
    },
  };
}
