import type pg from 'pg';
import { queryByIndexes } from '../../db/index-plans.ts';

// One step in the index of what nobody has announced, which is everything where no Inngest is.
const NEXT_DUE = `
  SELECT next_attempt_at AS at FROM callbacks
  WHERE state = 'pending' AND relayed_at IS NULL AND next_attempt_at > $1::timestamptz
  ORDER BY next_attempt_at LIMIT 1`;

/**
 * When the next callback falls due after `now`; null when none is known. One that Inngest was
 * told of is not looked at.
 */
export async function nextDue(pool: pg.Pool, { now }: { now: Date }): Promise<Date | null> {
  const query = { name: 'callbacks_next_due', text: NEXT_DUE, values: [now.toISOString()] };
  const [next] = await queryByIndexes<{ at: Date }>(pool, query);
  return next?.at ?? null;
}
