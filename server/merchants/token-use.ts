import type { Queryable } from '../db/pool.ts';
import { storedAddress } from './networks.ts';

/** A request that a token was allowed to make. */
export type TokenUse = {
  atMs: number;
  /** The endpoint, e.g. `/invoice/create`. */
  endpoint: string;
  /** The caller's address, as far as it is known. */
  address: string;
};

// The UPDATE alone would lock rows in whatever order its plan reads the table.
const RECORD_USE = `
  WITH used AS MATERIALIZED (
    SELECT given.id, given.at, given.endpoint, given.address
    FROM unnest($1::text[], $2::timestamptz[], $3::text[], $4::inet[])
      AS given (id, at, endpoint, address)
    CROSS JOIN LATERAL (
      SELECT FROM api_tokens t WHERE t.id = given.id FOR NO KEY UPDATE
    ) locked
  )
  UPDATE api_tokens t
  SET last_used_at = used.at, last_used_for = used.endpoint, last_used_from = used.address
  FROM used WHERE t.id = used.id AND (t.last_used_at IS NULL OR t.last_used_at <= used.at)`;

/**
 * Writes the last uses of tokens, by token id, in one statement; one that is older than what
 * another process wrote is left out.
 *
 * Rows are locked in the order of their ids, so that two processes do not deadlock.
 */
export async function recordTokenUse(
  db: Queryable,
  lastUses: ReadonlyMap<string, TokenUse>,
): Promise<void> {
  if (lastUses.size === 0) return;
  const uses = [...lastUses].sort(([a], [b]) => (a < b ? -1 : 1));
  await db.query(RECORD_USE, [
    uses.map(([id]) => id),
    uses.map(([, { atMs }]) => new Date(atMs).toISOString()),
    uses.map(([, { endpoint }]) => endpoint),
    uses.map(([, { address }]) => storedAddress(address)),
  ]);
}
