import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { listenFault } from '../http/listen-fault.ts';

const POLL_MS = 100;
const ANSWER_WITHIN_MS = 5_000;
// Most starts are over by then, and a reason that lasts as long may not pass by itself.
const TELL_AFTER_MS = 10_000;

/**
 * Whether our own process could listen there now.
 *
 * @returns undefined if it could, otherwise the reason in plain words
 */
export function whyPortIsUnusable(
  port: number,
  host: string | undefined,
): Promise<string | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => {
      resolve(
        listenFault(error, { port, host }) ?? `Port ${port} cannot be used: ${error.message}`,
      );
    });
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(undefined)));
  });
}

/** The origin by which this machine reaches a server that listens on `host`. */
export function localOrigin(port: number, host: string | undefined): string {
  const everywhere = host === undefined || host === '0.0.0.0' || host === '::';
  const name = everywhere ? '127.0.0.1' : host;
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`;
}

/**
 * Waits until GET /api/health answers 200.
 *
 * @param options.tell called with the last answer when it takes long, and whenever that changes
 * @param options.signal ends the wait early
 * @param options.isHopeless ends the wait early, too
 * @throws Error with the last answer when `withinMs` have passed or the wait ended early
 */
export async function waitUntilHealthy(
  origin: string,
  options: {
    withinMs: number;
    tell?: (last: string) => void;
    tellAfterMs?: number;
    signal: AbortSignal;
    isHopeless: () => boolean;
  },
): Promise<void> {
  const { withinMs, tell, tellAfterMs = TELL_AFTER_MS, signal, isHopeless } = options;
  const begun = performance.now();
  const deadline = begun + withinMs;
  let last = 'no answer yet';
  let told = '';
  while (performance.now() < deadline) {
    signal.throwIfAborted();
    if (isHopeless()) throw new Error('The gateway does not start; the reason stands above.');
    try {
      const limit = AbortSignal.any([signal, AbortSignal.timeout(ANSWER_WITHIN_MS)]);
      const answer = await fetch(`${origin}/api/health`, { signal: limit });
      if (answer.status === 200) return;
      last = `${answer.status} ${await answer.text()}`;
    } catch (error) {
      last = error instanceof Error ? error.message : String(error);
    }
    if (last !== told && performance.now() - begun > tellAfterMs) {
      tell?.(last);
      told = last;
    }
    await sleep(POLL_MS);
  }
  throw new Error(`The gateway did not become healthy within ${withinMs / 1000} s: ${last}`);
}
