import type pg from 'pg';

/** By table: the number of whole-table scans, and of index entries read. */
export type RowsRead = Record<string, { scans: number; indexed: number }>;

const COUNTS = `
  SELECT relname AS name, seq_scan::int AS scans,
         (SELECT coalesce(sum(i.idx_tup_read), 0)::int FROM pg_stat_user_indexes i
          WHERE i.relid = t.relid) AS indexed
  FROM pg_stat_user_tables t`;

/**
 * What PostgreSQL itself counts as read during `work`: the real statements with their real plans.
 *
 * @param pool of one connection, because each connection counts separately
 */
export async function rowsRead(pool: pg.Pool, work: () => Promise<unknown>): Promise<RowsRead> {
  if (pool.options.max !== 1) throw new Error('Only one connection may do the work.');
  const read = async (): Promise<RowsRead> => {
    await pool.query('SELECT pg_stat_force_next_flush()');
    const { rows } = await pool.query<{ name: string; scans: number; indexed: number }>(COUNTS);
    return Object.fromEntries(rows.map(({ name, ...counts }) => [name, counts]));
  };
  const before = await read();
  await work();
  const after = Object.entries(await read()).map(([name, { scans, indexed }]) => {
    const was = before[name] ?? { scans: 0, indexed: 0 };
    return [name, { scans: scans - was.scans, indexed: indexed - was.indexed }] as const;
  });
  return Object.fromEntries(after);
}
