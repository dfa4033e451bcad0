import type { Queryable } from '../db/pool.ts';

const CLEAN_UP = `
  DELETE FROM idempotency_keys k
  USING (SELECT ctid FROM idempotency_keys WHERE expires_at <= $1::timestamptz
         ORDER BY expires_at LIMIT $2::int FOR UPDATE SKIP LOCKED) expired
  WHERE k.ctid = expired.ctid`;

/**
 * Deletes up to `limit` idempotency keys whose 24 hours are over. Nothing depends
 * on it but the size of the table: an expired key no longer replays.
 *
 * @returns how many are gone
 */
export async function cleanUpIdempotencyKeys(
  db: Queryable,
  { now, limit }: { now: Date; limit: number },
): Promise<number> {
  const values = [now.toISOString(), limit];
  const { rowCount } = await db.query({ name: 'keys_clean_up', text: CLEAN_UP, values });
  return rowCount ?? 0;
}

const CLEAN_UP_THROTTLES = `
  DELETE FROM throttles t
  USING (SELECT ctid FROM throttles WHERE ends_at <= $1::timestamptz
         ORDER BY ends_at LIMIT $2::int FOR UPDATE SKIP LOCKED) ended
  WHERE t.ctid = ended.ctid`;

/**
 * Deletes up to `limit` counts of tries whose window is over: the next try begins anew with or
 * without them. Whoever only ever fails makes the most, so that no sign-in can be waited for.
 *
 * @returns how many are gone
 */
export async function cleanUpThrottles(
  db: Queryable,
  { now, limit }: { now: Date; limit: number },
): Promise<number> {
  const values = [now.toISOString(), limit];
  const { rowCount } = await db.query({
    name: 'throttles_clean_up',
    text: CLEAN_UP_THROTTLES,
    values,
  });
  return rowCount ?? 0;
}
