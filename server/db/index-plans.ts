import type pg from 'pg';
import type { Queryable } from './pool.ts';

// Queue tables are empty at one moment and hold 100,000 rows (or as many dead ones) at the next. A
// plan from the first moment would scan the whole table in the second, so sequential scans are
// ruled out. Then no plan depends on the values, and planning takes as long as the work for ten
// rows, so plans are kept. A bitmap scan reads every dead entry of an index again and again; an
// index scan marks those that it meets.
//
// When statistics say that almost nothing waits, reading all of a merchant's rows by any index and
// sorting them looks as cheap as reading the first rows of the ordered index. So nothing is sorted
// that can be read in order. Before PostgreSQL 18, a plan that is ruled out but needed all the same
// has such a high cost that it would be compiled first.
const SETTINGS = [
  'SET LOCAL enable_seqscan = off',
  'SET LOCAL enable_bitmapscan = off',
  'SET LOCAL enable_sort = off',
  'SET LOCAL jit = off',
  'SET LOCAL plan_cache_mode = force_generic_plan',
];

// For statements that need only their index's order: not even a partial sort.
const IN_ORDER = [...SETTINGS, 'SET LOCAL enable_incremental_sort = off'];

/** For a transaction of several statements: plans are made once and use indexes until it ends. */
export async function planByIndexes(db: Queryable): Promise<void> {
  await db.query(SETTINGS.join('; '));
}

/** As `planByIndexes`, for statements that need no order but their indexes' own. */
export async function planInOrder(db: Queryable): Promise<void> {
  await db.query(IN_ORDER.join('; '));
}

/** `pg` reads `pipeline` for each statement, though its types let only the pool set it. */
type Pipelining = { pipeline: boolean };

/**
 * Runs one statement in a transaction whose plans are made once and use indexes in their own order.
 *
 * BEGIN, the statement and COMMIT are written without waiting for each other's answers: a process
 * that sends thousands of callbacks gets round to its connections only every few milliseconds. If
 * the statement fails, its COMMIT is a rollback.
 *
 * @param options.first statements without parameters that come right after BEGIN
 * @throws whatever the database throws; then nothing of it is committed, unless the
 *   connection broke while the answer to COMMIT was on its way
 */
export async function queryByIndexes<R extends pg.QueryResultRow>(
  pool: pg.Pool,
  query: pg.QueryConfig,
  { first = [] }: { first?: readonly string[] } = {},
): Promise<R[]> {
  const client: pg.PoolClient & Pipelining = await pool.connect();
  try {
    client.pipeline = true;
    const [, { rows }] = await Promise.all([
      client.query(['BEGIN', ...IN_ORDER, ...first].join('; ')),
      client.query<R>(query),
      client.query('COMMIT'),
    ]);
    client.pipeline = false;
    client.release();
    return rows;
  } catch (error) {
    // The connection is discarded with its transaction: a rollback on a broken one would only fail
    // again.
    client.release(true);
    throw error;
  }
}
