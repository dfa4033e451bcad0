import type { Queryable } from '../db/pool.ts';

const WAITING = 'SELECT min(recover_at) AS since FROM payment_attempts WHERE recover_at <= $1';

/**
 * Since when a payment attempt has been due for recovery.
 *
 * @returns null when there is none
 */
export async function recoveriesWaitingSince(
  db: Queryable,
  { now }: { now: Date },
): Promise<Date | null> {
  const query = { name: 'recovery_waiting', text: WAITING, values: [now.toISOString()] };
  const { rows } = await db.query<{ since: Date | null }>(query);
  return rows[0]?.since ?? null;
}
