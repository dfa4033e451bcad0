import { constants } from 'node:os';
import { onEndSignals } from '../lib/end-signals.ts';

/** A signal or an output that cannot be written has ended the command: nothing more to tell. */
export class Interrupted extends Error {
  readonly exitCode: number;

  constructor(exitCode: number) {
    super('ended before its time');
    this.name = 'Interrupted';
    this.exitCode = exitCode;
  }
}

/** Ends the work of a command that has something to put in order; null where none has. */
let interrupt: ((reason: Interrupted) => void) | null = null;

/**
 * Rejects with `Interrupted` at the first signal to end, or when an output cannot be written; a
 * later signal ends the process at once.
 */
export function untilInterrupted(): Promise<never> {
  const interruption = new Promise<never>((_, reject) => {
    interrupt = reject;
    onEndSignals(
      // As a shell tells of a process that the signal itself has ended.
      (signal) => reject(new Interrupted(128 + constants.signals[signal])),
      () => process.exit(1),
    );
  });
  // It may come when nobody waits any more.
  interruption.catch(() => undefined);
  return interruption;
}

/** Ends a command when its output cannot be written: without a word where nobody reads on (`| head`). */
export function endWithOutput(output: NodeJS.WriteStream): void {
  // Each further write fails as well.
  output.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') {
      process.exitCode = 1;
      if (output !== process.stderr) process.stderr.write(`error: ${error.message}\n`);
    }
    if (interrupt === null) process.exit();
    else interrupt(new Interrupted(Number(process.exitCode ?? 0)));
  });
}

/** Ends a command that was interrupted, at once: a statement of its own may still be under way. */
export function exitInterrupted({ exitCode }: Interrupted): never {
  process.exit(exitCode);
}
