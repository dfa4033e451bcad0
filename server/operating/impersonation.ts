import type pg from 'pg';
import { inTransaction, type Queryable } from '../db/pool.ts';
import { type AuditActor, recordAudit } from '../merchants/audit.ts';

/** Long enough to look into a problem; then it ends by itself. */
export const IMPERSONATION_LIMIT_MS = 60 * 60 * 1000;

/**
 * Opens a merchant's dashboard to an operator's session, with support's permissions, for an hour at
 * most. The merchant's audit log records the beginning, and also the end: a trigger on `sessions`
 * writes it, since there are many ways to end.
 */
export async function beginImpersonation(
  pool: pg.Pool,
  wanted: { sessionId: string; merchantId: string; actor: AuditActor; now: Date },
): Promise<'begun' | 'not_found'> {
  const { sessionId, merchantId, actor, now } = wanted;
  const until = new Date(now.getTime() + IMPERSONATION_LIMIT_MS);
  return await inTransaction(pool, async (db) => {
    const { rowCount } = await db.query(
      `UPDATE sessions s SET acting_merchant_id = m.id, acting_until = $3::timestamptz
       FROM merchants m, users u
       WHERE s.id = $1 AND m.id = $2 AND u.id = s.user_id AND u.is_operator`,
      [sessionId, merchantId, until.toISOString()],
    );
    if (rowCount !== 1) return 'not_found';
    await recordAudit(db, {
      actor,
      now,
      action: 'merchant.act_begin',
      merchantId,
      target: { type: 'merchant', id: merchantId },
      details: { role: 'support', until: until.toISOString() },
    });
    return 'begun';
  });
}

/** Ends it. @returns false when the session acted for no merchant */
export async function endImpersonation(db: Queryable, sessionId: string): Promise<boolean> {
  const { rowCount } = await db.query(
    `UPDATE sessions SET acting_merchant_id = NULL, acting_until = NULL
     WHERE id = $1 AND acting_merchant_id IS NOT NULL`,
    [sessionId],
  );
  return rowCount === 1;
}

/**
 * Ends impersonations whose hour is over, for up to this many sessions. They no longer work, but
 * only a change of the row puts the end into the merchant's audit log.
 *
 * @returns how many
 */
export async function endOverdueImpersonation(
  db: Queryable,
  { now, limit }: { now: Date; limit: number },
): Promise<number> {
  const { rowCount } = await db.query({
    name: 'end_overdue_acting',
    text: `
      UPDATE sessions s SET acting_merchant_id = NULL, acting_until = NULL
      FROM (SELECT id FROM sessions WHERE acting_until <= $1::timestamptz
            ORDER BY acting_until LIMIT $2::int FOR UPDATE SKIP LOCKED) over
      WHERE s.id = over.id`,
    values: [now.toISOString(), limit],
  });
  return rowCount ?? 0;
}
