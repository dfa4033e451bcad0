import type pg from 'pg';
import { queryByIndexes } from '../../db/index-plans.ts';
import type { Queryable } from '../../db/pool.ts';
import { MAX_IN_FLIGHT_PER_MERCHANT } from './claim.ts';
import { dueOf, fairShare, roomOf } from './fair-share.ts';

/** A pending callback whose next attempt has not been announced. */
export type UnrelayedCallback = { id: string; nextAttemptAt: Date };

const UNRELAYED = `
  SELECT id, next_attempt_at AS "nextAttemptAt" FROM callbacks
  WHERE state = 'pending' AND relayed_at IS NULL
  ORDER BY next_attempt_at LIMIT $1::int`;

/**
 * Up to `limit` callbacks with an unannounced next attempt, the earliest first.
 *
 * @param db in a transaction with `planInOrder`
 */
export async function findUnrelayed(
  db: Queryable,
  { limit }: { limit: number },
): Promise<UnrelayedCallback[]> {
  const query = { name: 'callbacks_unrelayed', text: UNRELAYED, values: [limit] };
  const { rows } = await db.query<UnrelayedCallback>(query);
  return rows;
}

// The due time is part of the match: a row attempted or resent meanwhile has another one, which has
// to be announced as well.
//
// A locked row is left out and announced again: mostly its result is being recorded, in another
// order than this one, and the two statements would wait for each other.
const MARK = `
  WITH free AS MATERIALIZED (
    SELECT c.id FROM callbacks c
    JOIN unnest($2::text[], $3::timestamptz[]) AS r (id, next_attempt_at) ON c.id = r.id
    -- Of the conditions themselves PostgreSQL might make a walk of what is not announced yet.
    WHERE CASE WHEN c.next_attempt_at = r.next_attempt_at
               THEN c.state = 'pending' AND c.relayed_at IS NULL ELSE false END
    FOR NO KEY UPDATE OF c SKIP LOCKED
  )
  UPDATE callbacks c SET relayed_at = $1::timestamptz FROM free WHERE c.id = free.id`;

/** Notes that the next attempts of these rows have been announced, except for locked rows. */
export async function markRelayed(
  pool: pg.Pool,
  rows: readonly UnrelayedCallback[],
  { now }: { now: Date },
): Promise<void> {
  const ids = rows.map(({ id }) => id);
  const dues = rows.map(({ nextAttemptAt }) => nextAttemptAt.toISOString());
  const values = [now.toISOString(), ids, dues];
  await queryByIndexes(pool, { name: 'callbacks_mark_relayed', text: MARK, values });
}

// This is the claim's walk from queue to queue. Rows of a merchant that has reached its limit in
// flight wait for those requests, not for a claim.
const WAITING = `
  WITH RECURSIVE ${fairShare({ now: '$1' })}
  SELECT min(first.next_attempt_at) AS since
  FROM busy b
  CROSS JOIN unnest(b.queues, b.firsts) AS q (queue, first)
  CROSS JOIN LATERAL (
    SELECT c.next_attempt_at FROM callbacks c WHERE ${dueOf({ queue: 'q.queue', first: 'q.first', now: '$1' })}
    ORDER BY c.next_attempt_at LIMIT 1
  ) first
  WHERE ${roomOf('q.queue', String(MAX_IN_FLIGHT_PER_MERCHANT))} > 0`;

/**
 * The due time of the longest-waiting callback that a claim would take now.
 *
 * @param db in a transaction with `planInOrder`
 * @returns null if there is none
 */
export async function callbacksWaitingSince(
  db: Queryable,
  { now }: { now: Date },
): Promise<Date | null> {
  const query = { name: 'callbacks_waiting', text: WAITING, values: [now.toISOString()] };
  const { rows } = await db.query<{ since: Date | null }>(query);
  return rows[0]?.since ?? null;
}
