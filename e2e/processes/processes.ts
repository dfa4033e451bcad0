import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** The running child of a process whose command line contains `part`. */
export function childPid(parentPid: number, part: string): number | undefined {
  const list = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,args='], { encoding: 'utf8' });
  for (const line of list.split('\n')) {
    const [pid, ppid, ...command] = line.trim().split(/\s+/);
    if (Number(ppid) === parentPid && command.join(' ').includes(part)) return Number(pid);
  }
  return undefined;
}

/** The process id of a data folder's embedded PostgreSQL. */
export function postgresPid(dataDir: string): number | undefined {
  const file = path.join(dataDir, 'postgres', 'postmaster.pid');
  return existsSync(file) ? Number.parseInt(readFileSync(file, 'utf8'), 10) : undefined;
}

export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    // A process that has ended still has a number until its parent collects it.
    const state = execFileSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' });
    return !state.trim().startsWith('Z');
  } catch {
    return false;
  }
}

/** Asks until the answer is neither false nor undefined. */
export async function until<T>(
  what: string,
  withinMs: number,
  ask: () => T | Promise<T>,
): Promise<Exclude<T, false | undefined>> {
  const deadline = performance.now() + withinMs;
  for (;;) {
    const answer = await ask();
    if (answer !== false && answer !== undefined) return answer as Exclude<T, false | undefined>;
    if (performance.now() > deadline) throw new Error(`${what}: not within ${withinMs} ms`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

export async function isHealthy(origin: string): Promise<boolean> {
  try {
    const answer = await fetch(`${origin}/api/health`, { signal: AbortSignal.timeout(3_000) });
    return answer.status === 200;
  } catch {
    return false;
  }
}
