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
 * the owners answer for who can get in. Without any merchant it is kept too. What an operator does
 * to their own account also stands in the operators' log, once, without a merchant.
 */
export async function recordPersonalAudit(
  db: Queryable,
  userId: string,
  entry: Omit<AuditEntry, 'merchantId' | 'environment' | 'target'>,
): Promise<void> {
  const { rows } = await db.query<{ is_operator: boolean; merchant_ids: string[] }>(
    `SELECT u.is_operator, array(SELECT m.merchant_id FROM memberships m WHERE m.user_id = u.id
                                 ORDER BY m.merchant_id) AS merchant_ids
     FROM users u WHERE u.id = $1`,
    [userId],
  );
  const { is_operator: isOperator = false, merchant_ids: ofMerchants = [] } = rows[0] ?? {};
  const target = { type: 'user', id: userId };
  const add = (type: AuditActor['type'], merchantId: string | null) =>
    recordAudit(db, { ...entry, actor: { ...entry.actor, type }, merchantId, target });
  const { type, id } = entry.actor;
  const isOperatorsOwn = isOperator && id === userId;
  if (isOperatorsOwn) await add('operator', null);
  else if (ofMerchants.length === 0) await add(type, null);
  for (const merchantId of ofMerchants) await add(isOperatorsOwn ? 'staff' : type, merchantId);
}
