import type pg from 'pg';
import { isClockRight } from '../../db/clock-offset.ts';
import type { Queryable } from '../../db/pool.ts';

/**
 * How often Inngest has run each function, by its id; one that never ran is missing. Only a change
 * says something, so that nobody has to hold clocks of several machines against each other.
 */
export type RunCounts = ReadonlyMap<string, string>;

const COUNT = `
  INSERT INTO inngest_runs (function_id, runs) VALUES ($1, 1)
  ON CONFLICT (function_id) DO UPDATE SET runs = inngest_runs.runs + 1`;

/**
 * Counts a run, wherever it runs: by that the workers see that Inngest works. Where the clock is
 * wrong a run does nothing, and counts for nothing.
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
