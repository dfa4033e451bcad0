import type { Queryable } from '../db/pool.ts';
import type { Environment } from './types.ts';

/** The author of an entry in the audit log. */
export type AuditActor = {
  type: 'staff' | 'operator' | 'test' | 'api';
  /** A user's id, or a token's; null for the operator's command. */
  id: string | null;
  /** The label for people: an e-mail address, "gateway command", "sandbox token" or "API token". */
  label: string;
  /** The caller's network address. */
  address?: string | null;
};

export type AuditEntry = {
  actor: AuditActor;
  now: Date;
  /** Noun and verb, e.g. `merchant.suspend`. */
  action: string;
  merchantId?: string | null;
  environment?: Environment | null;
  target?: { type: string; id: string };
  details?: Record<string, string | number | boolean | null>;
};

/** Adds an entry; call it in the transaction of the recorded change. Never pass a secret. */
export async function recordAudit(db: Queryable, entry: AuditEntry): Promise<void> {
  const { actor } = entry;
  await db.query({
    name: 'record_audit',
    text: `INSERT INTO audit_log
             (at, actor_type, actor_id, actor_label, address, merchant_id, environment,
              action, target_type, target_id, details)
           VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
    values: [
      entry.now.toISOString(),
      actor.type,
      actor.id,
      actor.label,
      actor.address ?? null,
      entry.merchantId ?? null,
      entry.environment ?? null,
      entry.action,
      entry.target?.type ?? null,
      entry.target?.id ?? null,
      entry.details ? JSON.stringify(entry.details) : null,
    ],
  });
}

/**
 * Adds an entry about a person's own account to the log of every merchant whose staff they are on:
 * the owners answer for who can get in. Without any merchant it is kept too.
 */
export async function recordPersonalAudit(
  db: Queryable,
  userId: string,
  entry: Omit<AuditEntry, 'merchantId' | 'environment' | 'target'>,
): Promise<void> {
  const { rows } = await db.query<{ merchant_id: string }>(
    'SELECT merchant_id FROM memberships WHERE user_id = $1 ORDER BY merchant_id',
    [userId],
  );
  const merchantIds = rows.length > 0 ? rows.map((row) => row.merchant_id) : [null];
  for (const merchantId of merchantIds) {
    await recordAudit(db, { ...entry, merchantId, target: { type: 'user', id: userId } });
  }
}
