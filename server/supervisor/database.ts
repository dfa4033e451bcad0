import { setTimeout as sleep } from 'node:timers/promises';
import { type EmbeddedServer, startEmbedded } from '../db/embedded.ts';
import { countFailure, restartDelayMs } from './back-off.ts';

export type SupervisedDatabase = {
  /** Its address now; it can change with a restart when the port was taken meanwhile. */
  url(): string;
  pid(): number;
  stop(): Promise<void>;
};

/**
 * Starts the embedded PostgreSQL of a folder and brings it up again when it dies. Its own
 * recovery makes good what was in flight.
 *
 * @param options.onMoved called when it came back at another address
 */
export async function superviseDatabase(options: {
  dataDir: string;
  say: (text: string) => void;
  onMoved: () => void;
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
  const watch = async (): Promise<void> => {
    const startedMs = performance.now();
    await server.exited;
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
      // One that was being brought back is stopped there.
      await watching;
    },
  };
}
