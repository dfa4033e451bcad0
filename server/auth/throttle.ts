import type { Queryable } from '../db/pool.ts';

export type Limit = { max: number; windowMs: number };

// One statement, so that simultaneous guesses are counted one by one. A finished window starts
// anew; its end is never pushed ahead, however many tries come.
const COUNT = `
  INSERT INTO throttles AS t (key, count, ends_at) VALUES ($1, 1, $3::timestamptz)
  ON CONFLICT (key) DO UPDATE SET
    count = CASE WHEN t.ends_at <= $2::timestamptz THEN 1 ELSE t.count + 1 END,
    ends_at = CASE WHEN t.ends_at <= $2::timestamptz THEN $3::timestamptz ELSE t.ends_at END
  RETURNING count`;

/**
 * Counts one try before it is made.
 *
 * @param key what is limited, e.g. `sign-in account …`
 * @returns the number of the try in its window, 1 for the first
 */
export async function numberOfTry(
  db: Queryable,
  key: string,
  { windowMs }: Limit,
  now: Date,
): Promise<number> {
  const { rows } = await db.query<{ count: number }>({
    name: 'throttle_count',
    text: COUNT,
    values: [key, now.toISOString(), new Date(now.getTime() + windowMs).toISOString()],
  });
  return rows[0]?.count ?? 1;
}

/** The same. @returns false beyond the limit's `max` */
export async function countTry(
  db: Queryable,
  key: string,
  limit: Limit,
  now: Date,
): Promise<boolean> {
  return (await numberOfTry(db, key, limit, now)) <= limit.max;
}

/** Whether a key's tries are used up; this counts none. */
export async function isUsedUp(
  db: Queryable,
  key: string,
  { max }: Limit,
  now: Date,
): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'throttle_used_up',
    text: 'SELECT FROM throttles WHERE key = $1 AND count >= $2 AND ends_at > $3::timestamptz',
    values: [key, max, now.toISOString()],
  });
  return rowCount === 1;
}

/** Forgets a key's tries, after a successful one. */
export async function forgetTries(db: Queryable, key: string): Promise<void> {
  await db.query({
    name: 'throttle_forget',
    text: 'DELETE FROM throttles WHERE key = $1',
    values: [key],
  });
}
