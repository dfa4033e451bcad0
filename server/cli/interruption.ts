import { constants } from 'node:os';
import { onEndSignals } from '../lib/end-signals.ts';

/** A signal has ended the command: nothing to tell. */
export class Interrupted extends Error {
  /** As a shell tells of a process that the signal itself has ended. */
  readonly exitCode: number;

  constructor(signal: NodeJS.Signals) {
    super(`ended by ${signal}`);
    this.name = 'Interrupted';
    this.exitCode = 128 + constants.signals[signal];
  }
}

/** Rejects with `Interrupted` at the first signal to end; a later one ends the process at once. */
export function untilInterrupted(): Promise<never> {
  const interruption = new Promise<never>((_, reject) => {
    onEndSignals(
      (signal) => reject(new Interrupted(signal)),
      () => process.exit(1),
    );
  });
  // It may come when nobody waits any more.
  interruption.catch(() => undefined);
  return interruption;
}

const isUnread = (error: Error | null): boolean =>
  (error as NodeJS.ErrnoException | null)?.code === 'EPIPE';

/** Ends a command when its output cannot be written: without a word where nobody reads on (`| head`). */
export function endWithOutput(output: NodeJS.WriteStream): void {
  output.on('error', (error) => {
    if (!isUnread(error)) process.stderr.write(`error: ${error.message}\n`);
    // Whoever has something to put in order waits for a signal.
    if (process.listenerCount('SIGTERM') > 0) process.kill(process.pid, 'SIGTERM');
    else process.exit(isUnread(error) ? 0 : 1);
  });
}

/** Ends a command that was interrupted, at once: a statement of its own may still be under way. */
export function exitInterrupted({ exitCode }: Interrupted): never {
  process.exit(isUnread(process.stdout.errored) ? 0 : exitCode);
}
