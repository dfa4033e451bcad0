import { onEndSignals } from '../lib/end-signals.ts';

/** A part of the gateway that can end: gracefully, or at once. */
export type Stoppable = { stop(): Promise<void>; kill(): void };

export type Shutdown = {
  /** Aborts when the shutdown begins: for work under way during a start. */
  signal: AbortSignal;
  /** Parts end in reverse order. */
  add(part: Stoppable): void;
  /** Ends all parts in order and then the process; further calls join the first. */
  end(exitCode: number): Promise<never>;
};

/**
 * Ends all parts in order on SIGINT, SIGTERM and SIGHUP, and at once on a second signal.
 *
 * @param say reports progress to a person
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
