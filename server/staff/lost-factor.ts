import type pg from 'pg';
import { inTransaction } from '../db/pool.ts';
import { type AuditActor, recordPersonalAudit } from '../merchants/audit.ts';
import { accountEmail } from './email-address.ts';

/**
 * Removes the second factor of an account whose person has lost both app and recovery codes, and
 * ends its sessions: for the operator only, who has checked the person's identity.
 */
export async function clearSecondFactor(
  pool: pg.Pool,
  { email, actor, now }: { email: string; actor: AuditActor; now: Date },
): Promise<'cleared' | 'not_found'> {
  return await inTransaction(pool, async (db) => {
    const { rows } = await db.query<{ id: string }>(
      `UPDATE users SET totp_secret = NULL, totp_pending = NULL, totp_enabled_at = NULL
       WHERE email = $1 AND totp_enabled_at IS NOT NULL RETURNING id`,
      [accountEmail(email)],
    );
    const userId = rows[0]?.id;
    if (userId === undefined) return 'not_found';
    await db.query('DELETE FROM recovery_codes WHERE user_id = $1', [userId]);
    await db.query('DELETE FROM sessions WHERE user_id = $1', [userId]);
    await recordPersonalAudit(db, userId, { actor, now, action: 'second_factor.clear' });
    return 'cleared';
  });
}
