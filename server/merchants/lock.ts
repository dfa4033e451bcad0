import type { Queryable } from '../db/pool.ts';

/**
 * One change at a time, until the transaction ends, of a merchant's
 * - team, so that two owners cannot take each other's role away at once, nor somebody invite while
 *   they are removed;
 * - signing secrets, for of two rotations at once neither would see the other's secret;
 * - tokens, of which so many may work: of two at once, the second sees what the first made.
 *
 * A change of one of these waits for those of the others, too. Take it before any other row of the
 * team, lest two wait for each other.
 * NO KEY: an invoice that is being created refers to this row, and must not wait.
 *
 * @returns false for an unknown merchant
 */
export async function lockMerchant(db: Queryable, merchantId: string): Promise<boolean> {
  const { rowCount } = await db.query('SELECT FROM merchants WHERE id = $1 FOR NO KEY UPDATE', [
    merchantId,
  ]);
  return rowCount === 1;
}
