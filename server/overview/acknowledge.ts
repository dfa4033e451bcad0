import type { Queryable } from '../db/pool.ts';
import type { Tenant } from '../merchants/types.ts';

/**
 * A person of the merchant has seen a cause, as it stood on their page: what is added later waits
 * again.
 */
export async function acknowledge(
  db: Queryable,
  { merchantId, environment }: Tenant,
  seen: { cause: string; count: number; newestAtMs: number | null },
  { userId, now }: { userId: string; now: Date },
): Promise<void> {
  await db.query(
    `INSERT INTO acknowledgements
       (merchant_id, environment, cause, seen_count, seen_newest, user_id, at)
     VALUES ($1, $2::environment, $3, $4, $5, $6, $7)
     ON CONFLICT (merchant_id, environment, cause) DO UPDATE
     SET seen_count = excluded.seen_count, seen_newest = excluded.seen_newest,
         user_id = excluded.user_id, at = excluded.at`,
    [
      merchantId,
      environment,
      seen.cause,
      seen.count,
      seen.newestAtMs === null ? null : new Date(seen.newestAtMs).toISOString(),
      userId,
      now.toISOString(),
    ],
  );
}

/** The cause waits again, as if nobody had seen it. */
export async function unacknowledge(
  db: Queryable,
  { merchantId, environment }: Tenant,
  cause: string,
): Promise<void> {
  await db.query(
    `DELETE FROM acknowledgements
     WHERE merchant_id = $1 AND environment = $2::environment AND cause = $3`,
    [merchantId, environment, cause],
  );
}
