import { setTimeout as sleep } from 'node:timers/promises';
import { countFailure, restartDelayMs } from './back-off.ts';
import { type EmbeddedServer, startEmbedded } from './embedded-postgres/embedded.ts';

export type SupervisedDatabase = {
  /** Its current address; a restart can change it if the port was taken meanwhile. */
  url(): string;
  pid(): number;
  stop(): Promise<void>;
};

const LOOK_EVERY_MS = 1_000;
// A signal to all processes at once, such as systemd's, has reached this one by the second look.
const LOOKS = 2;

/**
 * Starts a folder's embedded PostgreSQL and restarts it when it dies; its own recovery restores the
 * work in flight. After a SIGTERM from outside it would refuse new clients and wait for the current
 * ones, which never leave: it is ended and restarted too.
 *
 * @param options.onMoved called when it returns at another address
 * @param options.signal aborts when everything ends in order: the server is then left alone,
 * because others still use it
 */
export async function superviseDatabase(options: {
  dataDir: string;
  say: (text: string) => void;
  onMoved: () => void;
  signal: AbortSignal;
}): Promise<SupervisedDatabase> {
  let server: EmbeddedServer = await startEmbedded({ dataDir: options.dataDir });
  let stopping = false;
  let failures = 0;
  const ending = new AbortController();
  const pause = (ms: number) =>
    sleep(ms, undefined, { signal: ending.signal }).catch(() => undefined);

  const bringBack = async (): Promise<void> => {
    const before = server.url;
    while (!stopping) {
      try {
        server = await startEmbedded({ dataDir: options.dataDir });
        if (stopping) return await server.stop();
        options.say('✓ PostgreSQL is back');
        if (server.url !== before) options.onMoved();
        return await watch();
      } catch (error) {
        failures += 1;
        options.say(`! PostgreSQL does not come back: ${(error as Error).message}`);
        await pause(restartDelayMs(failures));
      }
    }
  };
  const endWhenTold = (): NodeJS.Timeout => {
    let seen = 0;
    const looking = setInterval(() => {
      const isEnding = stopping || options.signal.aborted;
      seen = !isEnding && server.isStopping() ? seen + 1 : 0;
      if (seen < LOOKS) return;
      clearInterval(looking);
      options.say('! PostgreSQL was told to end and takes no new connections; ending it at once');
      server.stop().catch((error: Error) => options.say(`! ${error.message}`));
    }, LOOK_EVERY_MS);
    return looking;
  };
  const watch = async (): Promise<void> => {
    const startedMs = performance.now();
    const looking = endWhenTold();
    await server.untilGone();
    clearInterval(looking);
    if (stopping) return;
    failures = countFailure(failures, performance.now() - startedMs);
    const delayMs = restartDelayMs(failures);
    options.say(`! PostgreSQL ended; starting it again in ${delayMs} ms`);
    await pause(delayMs);
    await bringBack();
  };
  const watching = watch();

  return {
    url: () => server.url,
    pid: () => server.pid,
    stop: async () => {
      stopping = true;
      ending.abort();
      await server.stop();
      // The watch also stops a server that was being restarted.
      await watching;
    },
  };
}
