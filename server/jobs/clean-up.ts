import type { Queryable } from '../db/pool.ts';

/** How far a run goes: what is over by `now`, so many rows. */
type Run = { now: Date; limit: number };

/** Deletes what is over, the oldest first; rows that somebody holds are left for the next run. */
async function cleanUp(
  db: Queryable,
  { table, over }: { table: string; over: string },
  { now, limit }: Run,
): Promise<number> {
  const { rowCount } = await db.query({
    name: `${table}_clean_up`,
    text: `
      DELETE FROM ${table} t
      USING (SELECT ctid FROM ${table} WHERE ${over} <= $1::timestamptz
             ORDER BY ${over} LIMIT $2::int FOR UPDATE SKIP LOCKED) gone
      WHERE t.ctid = gone.ctid`,
    values: [now.toISOString(), limit],
  });
  return rowCount ?? 0;
}

/**
 * Deletes up to `limit` idempotency keys whose 24 hours are over. Nothing depends
 * on it but the size of the table: an expired key no longer replays.
 *
 * @returns how many are gone
 */
export function cleanUpIdempotencyKeys(db: Queryable, run: Run): Promise<number> {
  return cleanUp(db, { table: 'idempotency_keys', over: 'expires_at' }, run);
}

/**
 * Deletes up to `limit` counts of tries whose window is over: the next try begins anew with or
 * without them. Most come from callers who never get in, so that their deletion cannot be left to
 * the next good sign-in.
 *
 * @returns how many are gone
 */
export function cleanUpThrottles(db: Queryable, run: Run): Promise<number> {
  return cleanUp(db, { table: 'throttles', over: 'ends_at' }, run);
}
