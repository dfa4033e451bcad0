import type { Queryable } from '../db/pool.ts';

// The UPDATE alone would lock rows in whatever order its plan reads the table.
const RECORD_USE = `
  WITH used AS MATERIALIZED (
    SELECT given.id, given.at FROM unnest($1::text[], $2::timestamptz[]) AS given (id, at)
    CROSS JOIN LATERAL (
      SELECT FROM api_tokens t WHERE t.id = given.id FOR NO KEY UPDATE
    ) locked
  )
  UPDATE api_tokens t SET last_used_at = greatest(t.last_used_at, used.at)
  FROM used WHERE t.id = used.id`;

/**
 * Writes when tokens were last used: milliseconds by token id, in one statement.
 *
 * Rows are locked in the order of their ids, so that two processes do not deadlock.
 */
export async function recordTokenUse(
  db: Queryable,
  lastUsedAtMs: ReadonlyMap<string, number>,
): Promise<void> {
  if (lastUsedAtMs.size === 0) return;
  const uses = [...lastUsedAtMs].sort(([a], [b]) => (a < b ? -1 : 1));
  await db.query(RECORD_USE, [
    uses.map(([id]) => id),
    uses.map(([, atMs]) => new Date(atMs).toISOString()),
  ]);
}
