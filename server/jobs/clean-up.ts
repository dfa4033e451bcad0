import type { Queryable } from '../db/pool.ts';
import { EVENTS_KEPT_MS } from '../events/types.ts';

/** The extent of a run: rows that are over by `now`, up to `limit`. */
type Run = { now: Date; limit: number };

/** Deletes expired rows, the oldest first; locked rows are left for the next run. */
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
 * Deletes up to `limit` idempotency keys whose 24 hours are over. It only affects the size of the
 * table: an expired key no longer replays.
 *
 * @returns the number deleted
 */
export function cleanUpIdempotencyKeys(db: Queryable, run: Run): Promise<number> {
  return cleanUp(db, { table: 'idempotency_keys', over: 'expires_at' }, run);
}

/**
 * Deletes up to `limit` counts of tries whose window is over: the next try begins anew with or
 * without them. Most come from callers who never get in, so that no later sign-in would delete
 * them. It also deletes as many addresses of buyers whose tries to pay no longer count.
 *
 * @returns the number deleted of the larger group
 */
export async function cleanUpThrottles(db: Queryable, run: Run): Promise<number> {
  const throttles = await cleanUp(db, { table: 'throttles', over: 'ends_at' }, run);
  const tries = await cleanUp(db, { table: 'buyer_tries', over: 'ends_at' }, run);
  return Math.max(throttles, tries);
}

/**
 * Deletes up to `limit` expired sessions and as many expired links for passwords: neither lets
 * anybody in any more.
 *
 * @returns the number deleted of the larger group
 */
export async function cleanUpSignIns(db: Queryable, run: Run): Promise<number> {
  const sessions = await cleanUp(db, { table: 'sessions', over: 'expires_at' }, run);
  const links = await cleanUp(db, { table: 'password_resets', over: 'expires_at' }, run);
  return Math.max(sessions, links);
}

// The worker that made one waits until it is over, and then takes its answer.
const FORWARD_OVER = "expires_at + interval '1 minute'";

/**
 * Deletes up to `limit` attempts on their way through a listener that nobody waits for, because
 * their worker has died.
 *
 * @returns the number deleted
 */
export function cleanUpForwards(db: Queryable, run: Run): Promise<number> {
  return cleanUp(db, { table: 'callback_forwards', over: FORWARD_OVER }, run);
}

/**
 * Deletes up to `limit` events that were kept for 90 days.
 *
 * @returns the number deleted
 */
export function cleanUpEvents(db: Queryable, { now, limit }: Run): Promise<number> {
  const over = { now: new Date(now.getTime() - EVENTS_KEPT_MS), limit };
  return cleanUp(db, { table: 'events', over: 'at' }, over);
}
