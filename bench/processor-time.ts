import { readdirSync, readFileSync } from 'node:fs';

// The unit of /proc/<pid>/stat on Linux, 100 a second on every common build.
const TICK_MS = 10;

/** `ended`: the ticks of children that have ended and been waited for. */
function statOf(pid: number): { parent: number; ticks: number; ended: number } | null {
  try {
    // The name in brackets may hold anything; the numbers follow its last bracket.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
    const [user = 0, system = 0, endedUser = 0, endedSystem = 0] = fields.slice(11, 15).map(Number);
    return { parent: Number(fields[1]), ticks: user + system, ended: endedUser + endedSystem };
  } catch {
    return null;
  }
}

/**
 * Processor time in ms of a process and its children, or NaN where there is no /proc. It is
 * steadier than requests a second on a shared machine.
 */
export function processorTimeMs(pid: number): number {
  const own = statOf(pid);
  if (!own) return Number.NaN;
  let ticks = own.ticks + own.ended;
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name) || Number(name) === pid) continue;
    const stat = statOf(Number(name));
    if (stat?.parent === pid) ticks += stat.ticks;
  }
  return ticks * TICK_MS;
}
