import type { Queryable } from '../db/pool.ts';
import type { AuditRow } from './audit-list.ts';
import type { Tenant } from './types.ts';

/** What somebody did, as staff read it. Instants in milliseconds. */
export type AuditView = {
  id: string;
  atMs: number;
  /** An e-mail address, or "gateway command". */
  actor: string;
  /** Noun and verb, e.g. `callback.resend`. */
  action: string;
};

const MAX_READ = 200;

// $5: what a thing's story begins with, and so stands among the oldest. Ordered by `told.id`, for
// `id` alone would be the text.
const OF_TARGET = `
  WITH of_target AS NOT MATERIALIZED (
    SELECT id, at, actor_label, action FROM audit_log
    WHERE target_id = $1::text AND target_type = $2::text
      AND merchant_id = $3::text AND environment = $4::environment
  )
  SELECT id::text, at, actor_label, action FROM (
    (SELECT * FROM of_target ORDER BY of_target.id DESC LIMIT ${MAX_READ})
    UNION
    SELECT * FROM (SELECT * FROM of_target ORDER BY of_target.id LIMIT ${MAX_READ}) oldest
    WHERE action = ANY ($5::text[])
  ) told ORDER BY told.id`;

/**
 * What staff and the operator did last to one thing of the tenant's, the oldest first.
 *
 * @param beginnings actions that are told of a thing with many entries as well, where they stand
 *   among its first
 */
export async function listAuditOf(
  db: Queryable,
  tenant: Tenant,
  target: { type: string; id: string },
  beginnings: readonly string[],
): Promise<AuditView[]> {
  const { rows } = await db.query<{ id: string; at: Date; actor_label: string; action: string }>({
    name: 'audit_of_target',
    text: OF_TARGET,
    values: [target.id, target.type, tenant.merchantId, tenant.environment, beginnings],
  });
  return rows.map((row) => ({
    id: row.id,
    atMs: row.at.getTime(),
    actor: row.actor_label,
    action: row.action,
  }));
}

/** What somebody did, with the details that its sentence names. */
export type AuditDetailView = AuditView & Pick<AuditRow, 'details'>;

/** What staff and operators did last at a merchant, in both environments: for the operator. */
export async function listRecentAudit(
  db: Queryable,
  merchantId: string,
  limit: number,
): Promise<AuditDetailView[]> {
  const { rows } = await db.query<{
    id: string;
    at: Date;
    actor_label: string;
    action: string;
    details: AuditRow['details'] | null;
  }>(
    `SELECT id::text, at, actor_label, action, details FROM audit_log
     WHERE merchant_id = $1 ORDER BY audit_log.id DESC LIMIT $2::int`,
    [merchantId, limit],
  );
  return rows.map((row) => ({
    id: row.id,
    atMs: row.at.getTime(),
    actor: row.actor_label,
    action: row.action,
    details: row.details ?? {},
  }));
}
