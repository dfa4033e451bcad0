import { cpus } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';

const LOOK_MS = 1_000;
/** Share of the processors that must lie idle for a measurement to mean something. */
const IDLE_SHARE = 0.8;

function times(): { idleMs: number; totalMs: number } {
  const sums = { idleMs: 0, totalMs: 0 };
  for (const { times: each } of cpus()) {
    sums.idleMs += each.idle;
    sums.totalMs += each.user + each.nice + each.sys + each.idle + each.irq;
  }
  return sums;
}

/**
 * Waits until other work leaves the processors idle for a second.
 * @returns whether that came within `limitMs`
 */
export async function machineIsCalm(limitMs: number): Promise<boolean> {
  const end = Date.now() + limitMs;
  while (Date.now() < end) {
    const before = times();
    await sleep(LOOK_MS);
    const after = times();
    const idle = (after.idleMs - before.idleMs) / (after.totalMs - before.totalMs);
    if (idle >= IDLE_SHARE) return true;
  }
  return false;
}
