import { closeSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { isAlive } from './embedded-state.ts';

const RETRY_EVERY_MS = 50;
const GIVE_UP_AFTER_MS = 180_000;

function take(path: string): boolean {
  try {
    const file = openSync(path, 'wx', 0o600);
    writeSync(file, `${process.pid}\n`);
    closeSync(file);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** The process that holds the lock; null when it is gone or being written. */
function holder(path: string): number | null {
  try {
    return Number(readFileSync(path, 'utf8')) || null;
  } catch {
    return null;
  }
}

/**
 * Runs `work` while no other process of this machine runs under the same lock
 * file. A lock whose holder was killed is taken over.
 *
 * @throws Error that names the file and its holder after three minutes
 */
export async function withFileLock<T>(path: string, work: () => Promise<T>): Promise<T> {
  for (let waitedMs = 0; !take(path); waitedMs += RETRY_EVERY_MS) {
    const pid = holder(path);
    if (pid !== null && !isAlive(pid)) {
      rmSync(path, { force: true });
      continue;
    }
    if (waitedMs >= GIVE_UP_AFTER_MS) {
      throw new Error(`Process ${pid ?? 'unknown'} holds ${path}; remove the file if it is gone.`);
    }
    await new Promise((resolve) => setTimeout(resolve, RETRY_EVERY_MS));
  }
  try {
    return await work();
  } finally {
    rmSync(path, { force: true });
  }
}
