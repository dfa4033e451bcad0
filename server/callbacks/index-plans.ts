import type pg from 'pg';

// These tables are empty at one moment and hold 100,000 rows (or as many dead ones) at the
// next. A plan from the first moment would read them from end to end in the second, so
// reading whole tables is ruled out; and then no plan depends on the values, while
// planning takes as long as the work for ten rows.
const BEGIN = [
  'BEGIN',
  'SET LOCAL enable_seqscan = off',
  'SET LOCAL plan_cache_mode = force_generic_plan',
];

/**
 * Runs statements in one transaction whose plans are made once and go by indexes.
 *
 * @param options.first statements without parameters that come right after BEGIN
 * @throws whatever the database does; then nothing of it is committed
 */
export async function withIndexPlans<T>(
  pool: pg.Pool,
  { first = [] }: { first?: readonly string[] },
  run: (client: pg.PoolClient) => Promise<T>,
): Promise<T> {
  const client = await pool.connect();
  // A connection that breaks between two statements says so by an event only;
  // without a listener that ends the process.
  const ignore = () => undefined;
  client.on('error', ignore);
  try {
    await client.query([...BEGIN, ...first].join('; '));
    const result = await run(client);
    await client.query('COMMIT');
    client.off('error', ignore);
    client.release();
    return result;
  } catch (error) {
    // The connection is thrown away with its transaction: a rollback on one that
    // broke would only fail again.
    client.release(true);
    throw error;
  }
}
