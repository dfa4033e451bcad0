import type pg from 'pg';
import { inTransaction, type Queryable } from '../db/pool.ts';
import { type AuditActor, recordAudit } from '../merchants/audit.ts';
import type { PasswordLink } from '../merchants/types.ts';
import { accountEmail } from '../staff/email-address.ts';
import { findOrCreateUser } from '../staff/members.ts';
import { inviteToSetPassword } from '../staff/password-link.ts';

/** A member of the gateway's own staff. Times in milliseconds. */
export type Operator = {
  userId: string;
  email: string;
  /** A disabled operator cannot sign in. */
  status: 'active' | 'disabled';
  /** When they were last seen; null without a valid session. */
  lastSeenAtMs: number | null;
};

/**
 * Adds a person to the gateway's own staff.
 *
 * @returns `link` while their account waits for its first use; `unchanged` when they already were
 * on it
 * @throws GatewayError `validation` for a bad address, `conflict` for a disabled account
 */
export async function addOperator(
  pool: pg.Pool,
  { email, actor, now }: { email: string; actor: AuditActor; now: Date },
): Promise<{ outcome: 'added' | 'unchanged'; email: string; link: PasswordLink | null }> {
  return await inTransaction(pool, async (db) => {
    const user = await findOrCreateUser(db, { email, now });
    const { rowCount } = await db.query(
      'UPDATE users SET is_operator = true WHERE id = $1 AND NOT is_operator',
      [user.id],
    );
    if (rowCount === 1) {
      const target = { type: 'user', id: user.id };
      const details = { email: user.email };
      await recordAudit(db, { actor, now, action: 'operator.add', target, details });
    }
    const link = await inviteToSetPassword(db, { user, actor, now });
    return { outcome: rowCount === 1 ? 'added' : 'unchanged', email: user.email, link };
  });
}

/** Takes a person off the gateway's own staff, and ends any impersonation of theirs. */
export async function removeOperator(
  pool: pg.Pool,
  { email, actor, now }: { email: string; actor: AuditActor; now: Date },
): Promise<'removed' | 'not_found'> {
  const address = accountEmail(email);
  return await inTransaction(pool, async (db) => {
    const { rows } = await db.query<{ id: string }>(
      'UPDATE users SET is_operator = false WHERE email = $1 AND is_operator RETURNING id',
      [address],
    );
    const [user] = rows;
    if (!user) return 'not_found';
    await db.query(
      `UPDATE sessions SET acting_merchant_id = NULL, acting_until = NULL
       WHERE user_id = $1 AND acting_merchant_id IS NOT NULL`,
      [user.id],
    );
    const target = { type: 'user', id: user.id };
    const details = { email: address };
    await recordAudit(db, { actor, now, action: 'operator.remove', target, details });
    return 'removed';
  });
}

/** The gateway's own staff, by address. */
export async function listOperators(db: Queryable): Promise<Operator[]> {
  const { rows } = await db.query<{
    id: string;
    email: string;
    disabled: boolean;
    last_seen_at: Date | null;
  }>(
    `SELECT u.id, u.email, u.disabled_at IS NOT NULL AS disabled,
            (SELECT max(s.last_seen_at) FROM sessions s WHERE s.user_id = u.id
               AND (u.totp_enabled_at IS NULL OR s.second_factor_at IS NOT NULL)) AS last_seen_at
     FROM users u WHERE u.is_operator ORDER BY u.email`,
  );
  return rows.map((row) => ({
    userId: row.id,
    email: row.email,
    status: row.disabled ? 'disabled' : 'active',
    lastSeenAtMs: row.last_seen_at?.getTime() ?? null,
  }));
}
