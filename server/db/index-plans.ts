import type pg from 'pg';
import type { Queryable } from './pool.ts';

// Tables of what waits are empty at one moment and hold 100,000 rows (or as many dead ones) at the
// next. A plan from the first moment would read them from end to end in the second, so
// reading whole tables is ruled out; and then no plan depends on the values, while
// planning takes as long as the work for ten rows. A bitmap scan reads every dead entry of
// an index again and again; an index scan marks those that it meets.
//
// Where statistics say that next to nothing waits, reading all that a merchant has by any index
// and sorting it looks as cheap as the first rows of the index that has the order. So nothing is
// sorted that can be read in order. Before PostgreSQL 18 what is ruled out and needed all the
// same counts as so dear that it would be compiled first.
const SETTINGS = [
  'SET LOCAL enable_seqscan = off',
  'SET LOCAL enable_bitmapscan = off',
  'SET LOCAL enable_sort = off',
  'SET LOCAL jit = off',
  'SET LOCAL plan_cache_mode = force_generic_plan',
];

// For statements that need no order beyond what their index has: not even in part.
const IN_ORDER = [...SETTINGS, 'SET LOCAL enable_incremental_sort = off'];

/** For a transaction of several statements: plans are made once and go by indexes until it ends. */
export async function planByIndexes(db: Queryable): Promise<void> {
  await db.query(SETTINGS.join('; '));
}

/** As `planByIndexes`, for statements that ask for no order beyond their indexes' own. */
export async function planInOrder(db: Queryable): Promise<void> {
  await db.query(IN_ORDER.join('; '));
}

/** `pipeline` as pg reads it: for each statement, though its types let only the pool set it. */
type Pipelining = { pipeline: boolean };

/**
 * Runs one statement in a transaction whose plans are made once and go by indexes in their own
 * order.
 *
 * BEGIN, the statement and COMMIT are written without waiting for each other's answers: a
 * process that sends thousands of callbacks comes round to its connections every few
 * milliseconds only. Where the statement fails, its COMMIT is a rollback.
 *
 * @param options.first statements without parameters that come right after BEGIN
 * @throws whatever the database does; then nothing of it is committed, unless the
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
    // The connection is thrown away with its transaction: a rollback on one that
    // broke would only fail again.
    client.release(true);
    throw error;
  }
}
