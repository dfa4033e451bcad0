import type pg from 'pg';
import { inTransaction, type Queryable } from '../db/pool.ts';
import { GatewayError } from '../lib/errors.ts';
import type { AuditActor } from '../merchants/audit.ts';
import type { PasswordLink } from '../merchants/types.ts';
import { IS_UNUSED, inviteToSetPassword } from './password-link.ts';

const SHOWN = 20;

/** An owner whose account waits for its first use; `linkUntilMs` is null without a working link. */
export type WaitingOwner = { userId: string; email: string; linkUntilMs: number | null };

/** The merchant's owners who have never signed in, by address: for the operator only. */
export async function listWaitingOwners(
  db: Queryable,
  merchantId: string,
  now: Date,
): Promise<WaitingOwner[]> {
  const { rows } = await db.query<{ id: string; email: string; link_until: Date | null }>(
    `SELECT users.id, users.email,
            (SELECT max(r.expires_at) FROM password_resets r
             WHERE r.user_id = users.id AND r.used_at IS NULL
               AND r.expires_at > $2::timestamptz) AS link_until
     FROM memberships s JOIN users ON users.id = s.user_id
     WHERE s.merchant_id = $1 AND s.role = 'owner' AND users.disabled_at IS NULL AND ${IS_UNUSED}
     ORDER BY users.email LIMIT ${SHOWN}`,
    [merchantId, now.toISOString()],
  );
  return rows.map(({ id, email, link_until }) => ({
    userId: id,
    email,
    linkUntilMs: link_until?.getTime() ?? null,
  }));
}

/**
 * Makes another link for setting a password, for an owner who has never signed in; the previous
 * link ends. For the operator only.
 *
 * @throws GatewayError `not_found` where the merchant has no such owner, `conflict` for a disabled
 *   account and for one in use, which belongs to its person alone
 */
export async function renewOwnerLink(
  pool: pg.Pool,
  wish: { merchantId: string; userId: string; actor: AuditActor; now: Date },
): Promise<{ merchantName: string; link: PasswordLink }> {
  const { merchantId, userId, actor, now } = wish;
  return await inTransaction(pool, async (db) => {
    const { rows } = await db.query<{ email: string; disabled: boolean; merchant_name: string }>(
      `SELECT users.email, users.disabled_at IS NOT NULL AS disabled, m.name AS merchant_name
       FROM users JOIN memberships s ON s.user_id = users.id JOIN merchants m ON m.id = s.merchant_id
       WHERE users.id = $1 AND s.merchant_id = $2 AND s.role = 'owner'
       FOR NO KEY UPDATE OF users`,
      [userId, merchantId],
    );
    const [owner] = rows;
    if (!owner) throw new GatewayError('owner_not_found');
    const { email, disabled, merchant_name: merchantName } = owner;
    if (disabled) throw new GatewayError('account_disabled', { email });
    const link = await inviteToSetPassword(db, { user: { id: userId, email }, actor, now });
    if (!link) {
      throw new GatewayError('owner_came_in', { email });
    }
    return { merchantName, link };
  });
}
