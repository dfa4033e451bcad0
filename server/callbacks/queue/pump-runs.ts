import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { processWide } from '../../lib/process-wide.ts';
import type { DeliveryContext } from './deliver.ts';
import { Pump, type PumpOptions } from './pump.ts';

/**
 * Long enough to empty a backlog, short enough for hosts that limit a request to a minute: an attempt
 * that has begun takes up to ten seconds more.
 */
export const RUN_BUDGET_MS = 20_000;

const IDLE_LOOK_MS = 10;
// Long enough for a database that comes back; the leases ended long before.
const RECORD_LIMIT_MS = 5 * 60_000;

/** The runs over one pool. */
class Runs {
  isStopping = false;
  /** The pump that claims. */
  current: Pump | null = null;
  /** Those whose time is over, with requests in flight still. */
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
  /** After this time nothing more is claimed. */
  budgetMs?: number;
  /** How long it waits for the last results to be recorded: what is not by then is sent again. */
  recordLimitMs?: number;
};

/**
 * Lets a pump deliver until nothing is due that it could take, or the time is up; what is in flight
 * is awaited. For a driver whose work is done in runs.
 *
 * Runs at the same time share one pump. One that comes to it ends with the look that it asked for,
 * and not when what is claimed has ended: an endpoint that hangs would keep each run of these
 * seconds open, and whoever runs them has room for so many.
 *
 * @returns how many attempts were made; 0 for a run that came to another's pump
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
 * From now on no run claims anything by this pool.
 *
 * @returns resolves when what was in flight has ended
 */
export async function stopPumpRuns(pool: pg.Pool): Promise<void> {
  const runs = runsBy(pool);
  runs.isStopping = true;
  await Promise.allSettled(runs.running);
}
