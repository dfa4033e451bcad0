import { onEndSignals } from '../lib/end-signals.ts';

/** What ends one part of the gateway: politely, or at once. */
export type Stoppable = { stop(): Promise<void>; kill(): void };

export type Shutdown = {
  /** Aborts when the end begins: for what is under way during a start. */
  signal: AbortSignal;
  /** Parts end in the reverse order of their coming. */
  add(part: Stoppable): void;
  /** Ends everything in order and then the process; while that is under way, it is the same end. */
  end(exitCode: number): Promise<never>;
};

/**
 * Ends all parts in order on SIGINT, SIGTERM and SIGHUP, and at once on a second signal.
 *
 * @param say tells a person what is going on
 */
export function createShutdown(say: (text: string) => void): Shutdown {
  const parts: Stoppable[] = [];
  const abort = new AbortController();
  const endAll = async (exitCode: number): Promise<never> => {
    abort.abort();
    let code = exitCode;
    for (let part = parts.pop(); part; part = parts.pop()) {
      ending = part;
      await part.stop().catch((error: Error) => {
        say(`! ${error.message}`);
        code = 1;
      });
    }
    process.exit(code);
  };
  let ending: Stoppable | undefined;
  let ended: Promise<never> | undefined;
  const end = (exitCode: number): Promise<never> => {
    ended ??= endAll(exitCode);
    return ended;
  };
  const begin = (): void => {
    say('\nEnding. Requests in flight are answered first; Ctrl-C again ends at once.');
    void end(0);
  };
  const cutOff = (): void => {
    for (const part of [ending, ...parts.reverse()]) part?.kill();
    process.exit(1);
  };
  onEndSignals(begin, cutOff);
  return { signal: abort.signal, add: (part) => parts.push(part), end };
}
