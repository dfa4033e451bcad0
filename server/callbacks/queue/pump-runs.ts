import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { processWide } from '../../lib/process-wide.ts';
import type { DeliveryContext } from './deliver.ts';
import { Pump, type PumpOptions } from './pump.ts';

/**
 * Long enough to empty a backlog, short enough for hosts that limit a request to a minute: a
 * started attempt takes up to ten seconds more.
 */
export const RUN_BUDGET_MS = 20_000;

const IDLE_LOOK_MS = 10;
// Long enough for a database to come back; the leases ended long before.
const RECORD_LIMIT_MS = 5 * 60_000;

/** The runs on one pool. */
class Runs {
  isStopping = false;
  /** The pump that claims callbacks. */
  current: Pump | null = null;
  /** Pumps whose time is over, with requests still in flight. */
  readonly ending = new Set<Pump>();
  readonly running = new Set<Promise<unknown>>();

  get inFlightOfEnding(): number {
    let sum = 0;
    for (const pump of this.ending) sum += pump.inFlight;
    return sum;
  }
}

const byPool = processWide('pump runs', () => new WeakMap<pg.Pool, Runs>());

function runsBy(pool: pg.Pool): Runs {
  const runs = byPool.get(pool) ?? new Runs();
  byPool.set(pool, runs);
  return runs;
}

export type RunOptions = PumpOptions & {
  /** The time after which nothing more is claimed. */
  budgetMs?: number;
  /** The wait for the last results to be recorded. Others are sent again. */
  recordLimitMs?: number;
};

/**
 * Lets a pump deliver until no claimable callback is due, or the time is up, and awaits the
 * requests in flight. It serves a driver that works in runs.
 *
 * Concurrent runs share one pump. A run that joins it ends with its look for due rows, not with the
 * claimed requests: a hanging endpoint would keep every run of these seconds open, and their host
 * has room for only so many.
 *
 * @returns the number of attempts made; 0 for a run that joined another's pump
 */
export async function runPump(
  context: DeliveryContext,
  options: RunOptions = {},
): Promise<{ count: number }> {
  const runs = runsBy(context.pool);
  while (runs.current) if (await runs.current.hasLooked()) return { count: 0 };
  if (runs.isStopping) return { count: 0 };
  const running = lead(runs, context, options);
  runs.running.add(running);
  return await running.finally(() => runs.running.delete(running));
}

async function lead(
  runs: Runs,
  context: DeliveryContext,
  { budgetMs = RUN_BUDGET_MS, recordLimitMs = RECORD_LIMIT_MS, ...options }: RunOptions,
): Promise<{ count: number }> {
  const endMs = performance.now() + budgetMs;
  const pump = new Pump(context, { ...options, beside: () => runs.inFlightOfEnding });
  runs.current = pump;
  while (!pump.isIdle && !runs.isStopping && performance.now() < endMs) await sleep(IDLE_LOOK_MS);
  runs.current = null;
  runs.ending.add(pump);
  await pump.stop(recordLimitMs);
  runs.ending.delete(pump);
  return { count: pump.attempted };
}

/**
 * Stops all runs on this pool from claiming.
 *
 * @returns resolves when the requests in flight have ended
 */
export async function stopPumpRuns(pool: pg.Pool): Promise<void> {
  const runs = runsBy(pool);
  runs.isStopping = true;
  await Promise.allSettled(runs.running);
}
