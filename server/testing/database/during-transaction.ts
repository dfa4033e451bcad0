import type pg from 'pg';

/** Runs `work` while another transaction has executed `statement` and not ended. */
export async function duringTransaction<T>(
  pool: pg.Pool,
  { statement, values = [] }: { statement: string; values?: unknown[] },
  work: () => Promise<T>,
): Promise<T> {
  const other = await pool.connect();
  try {
    await other.query('BEGIN');
    await other.query(statement, values);
    return await work();
  } finally {
    await other.query('ROLLBACK');
    other.release();
  }
}
