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
 * the next good sign-in. And as many addresses of buyers, whose tries to pay count no more.
 *
 * @returns how many are gone of whatever was more
 */
export async function cleanUpThrottles(db: Queryable, run: Run): Promise<number> {
  const throttles = await cleanUp(db, { table: 'throttles', over: 'ends_at' }, run);
  const tries = await cleanUp(db, { table: 'buyer_tries', over: 'ends_at' }, run);
  return Math.max(throttles, tries);
}

/**
 * Deletes up to `limit` sessions and as many links for passwords that are over: neither lets anybody
 * in by then.
 *
 * @returns how many are gone of whatever was more
 */
export async function cleanUpSignIns(db: Queryable, run: Run): Promise<number> {
  const sessions = await cleanUp(db, { table: 'sessions', over: 'expires_at' }, run);
  const links = await cleanUp(db, { table: 'password_resets', over: 'expires_at' }, run);
  return Math.max(sessions, links);
}

// Whoever made one waits for it until it is over, and takes its answer then.
const FORWARD_OVER = "expires_at + interval '1 minute'";

/**
 * Deletes up to `limit` attempts on their way through a listener for which nobody waits any more, since
 * their worker has died.
 *
 * @returns how many are gone
 */
export function cleanUpForwards(db: Queryable, run: Run): Promise<number> {
  return cleanUp(db, { table: 'callback_forwards', over: FORWARD_OVER }, run);
}
