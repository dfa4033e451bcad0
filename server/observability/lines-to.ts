import { writeSync } from 'node:fs';
import type { LineDestination } from './line-writer.ts';

const RETRY_MS = 10;
/** How long a reader of a pipe may be busy; while nothing goes out, nobody waits for it again. */
const PATIENCE_MS = 1_000;

const BUSY = new Set<string | undefined>(['EAGAIN', 'EBUSY']);

function pause(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

/**
 * Writes lines to an open file, a pipe or a terminal, each before the call returns; and never throws.
 * Lines that it does not take (a full disk, a reader that is gone) are lost and counted: the first
 * that it takes again tells how many. pino's own destination throws at a full disk, and at the end
 * of the process waits for room without end.
 *
 * @param fd 1 for stdout, 2 for stderr
 */
export function linesTo(fd: number): LineDestination {
  let lost = 0;
  let isCut = false;

  function writeWhole(text: string): void {
    let rest = Buffer.from(text);
    const untilMs = performance.now() + (lost === 0 ? PATIENCE_MS : 0);
    while (rest.length > 0) {
      try {
        rest = rest.subarray(writeSync(fd, rest));
        isCut = rest.length > 0;
      } catch (error) {
        const { code } = error as NodeJS.ErrnoException;
        if (!BUSY.has(code) || performance.now() >= untilMs) throw error;
        pause(RETRY_MS);
      }
    }
  }

  function tellOfLost(): void {
    if (isCut) writeWhole('\n');
    if (lost === 0) return;
    const time = new Date().toISOString();
    writeWhole(
      `${JSON.stringify({ level: 'warn', time, lost, msg: 'lines of the log were lost' })}\n`,
    );
    lost = 0;
  }

  return {
    write(text) {
      try {
        if (isCut || lost > 0) tellOfLost();
        writeWhole(text);
      } catch {
        lost += text.split('\n').length - 1;
      }
    },
  };
}

/**
 * What libraries print by themselves may be lost as well: without a listener the process would end of
 * it, and say why to the same full disk.
 */
export function outliveFullDisks(): void {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
}
