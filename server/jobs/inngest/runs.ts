import type pg from 'pg';
import { isClockRight } from '../../db/clock-offset.ts';
import type { Queryable } from '../../db/pool.ts';

/**
 * The number of Inngest's runs of each function, by its id; one that never ran is missing. Only a
 * change has a meaning, so that no clocks of several machines need comparing.
 */
export type RunCounts = ReadonlyMap<string, string>;

const COUNT = `
  INSERT INTO inngest_runs (function_id, runs) VALUES ($1, 1)
  ON CONFLICT (function_id) DO UPDATE SET runs = inngest_runs.runs + 1`;

/**
 * Counts a run on any machine: it shows the workers that Inngest works. A run with a wrong clock
 * does nothing, and does not count.
 */
export async function countRun(db: pg.Pool, functionId: string): Promise<void> {
  if (!(await isClockRight(db))) return;
  await db.query({ name: 'inngest_run', text: COUNT, values: [functionId] });
}

export async function readRunCounts(db: Queryable): Promise<RunCounts> {
  const { rows } = await db.query<{ function_id: string; runs: string }>({
    name: 'inngest_runs',
    text: 'SELECT function_id, runs::text FROM inngest_runs',
  });
  return new Map(rows.map(({ function_id, runs }) => [function_id, runs]));
}
