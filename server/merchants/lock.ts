import type { Queryable } from '../db/pool.ts';

/**
 * Serialises changes, until the transaction ends, to a merchant's
 * - team, so that two owners cannot demote each other at once, and nobody invites while being
 *   removed;
 * - signing secrets, because neither of two concurrent rotations would see the other's secret;
 * - tokens, whose number is limited: the second of two changes sees what the first made.
 *
 * A change of one of these waits for those of the others, too. Take this lock before any other row
 * of the team, to avoid deadlocks. NO KEY: an invoice that is being created refers to this row, and
 * must not wait.
 *
 * @returns false for an unknown merchant
 */
export async function lockMerchant(db: Queryable, merchantId: string): Promise<boolean> {
  const { rowCount } = await db.query('SELECT FROM merchants WHERE id = $1 FOR NO KEY UPDATE', [
    merchantId,
  ]);
  return rowCount === 1;
}
