import { constants } from 'node:os';
import { onEndSignals } from '../lib/end-signals.ts';

/** A signal or a failing output has ended the command: there is nothing more to report. */
export class Interrupted extends Error {
  readonly exitCode: number;

  constructor(exitCode: number) {
    super('ended before its time');
    this.name = 'Interrupted';
    this.exitCode = exitCode;
  }
}

/** Interrupts the work of a command that has to clean up; null without one. */
let interrupt: ((reason: Interrupted) => void) | null = null;

/**
 * Rejects with `Interrupted` at the first signal to end, or when an output fails; a later signal
 * ends the process at once.
 */
export function untilInterrupted(): Promise<never> {
  const interruption = new Promise<never>((_, reject) => {
    interrupt = reject;
    onEndSignals(
      // A shell's exit code for a process ended by that signal.
      (signal) => reject(new Interrupted(128 + constants.signals[signal])),
      () => process.exit(1),
    );
  });
  // The rejection may come when nothing waits for it any more.
  interruption.catch(() => undefined);
  return interruption;
}

/** Ends a command whose output fails: silently if its reader is gone (`| head`). */
export function endWithOutput(output: NodeJS.WriteStream): void {
  // Each further write emits the error again.
  output.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') {
      process.exitCode = 1;
      if (output !== process.stderr) process.stderr.write(`error: ${error.message}\n`);
    }
    if (interrupt === null) process.exit();
    else interrupt(new Interrupted(Number(process.exitCode ?? 0)));
  });
}

/** Exits an interrupted command at once: one of its statements may still be under way. */
export function exitInterrupted({ exitCode }: Interrupted): never {
  process.exit(exitCode);
}
