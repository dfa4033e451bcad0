import type { Queryable } from '../db/pool.ts';
import { newLinkToken } from '../lib/opaque-token.ts';
import { type AuditActor, recordPersonalAudit } from '../merchants/audit.ts';
import type { PasswordLink } from '../merchants/types.ts';

// As long as an invitation: nobody asked for it, so it waits for its recipient to read it.
const LIFETIME_MS = 7 * 24 * 60 * 60 * 1000;

/** Whether a row of `users` waits for its first use: no password, no sign-in by a provider. */
export const IS_UNUSED = `users.password_hash IS NULL AND NOT EXISTS
  (SELECT FROM audit_log WHERE target_id = users.id AND action = 'session.sign_in')`;

/**
 * Makes the link for setting the first password of an account that was made for somebody. Call it
 * with the result of `findOrCreateUser`, in the same transaction: otherwise it could bypass a
 * password set meanwhile. Earlier links end, because one may have reached the wrong person.
 *
 * @returns null for a person with a password or a provider's sign-in: the account is theirs, and
 *   the sender of the link must not get into it
 */
export async function inviteToSetPassword(
  db: Queryable,
  invitation: { user: { id: string; email: string }; actor: AuditActor; now: Date },
): Promise<PasswordLink | null> {
  const { user, actor, now } = invitation;
  const { token, hash } = newLinkToken();
  const expiresAt = new Date(now.getTime() + LIFETIME_MS);
  const { rowCount } = await db.query(
    `WITH made AS (
       INSERT INTO password_resets (token_hash, user_id, created_at, expires_at)
       SELECT $2, id, $3, $4 FROM users WHERE id = $1 AND ${IS_UNUSED}
       RETURNING user_id
     ), ended AS (
       UPDATE password_resets r SET used_at = $3 FROM made
       WHERE r.user_id = made.user_id AND r.used_at IS NULL
     )
     SELECT FROM made`,
    [user.id, hash, now.toISOString(), expiresAt.toISOString()],
  );
  if (rowCount !== 1) return null;
  const details = { email: user.email };
  await recordPersonalAudit(db, user.id, { actor, now, action: 'person.invite', details });
  return { email: user.email, token, expiresAt };
}

/** Ends a person's links for a new password. */
export async function endPasswordLinks(db: Queryable, userId: string, now: Date): Promise<void> {
  await db.query(
    'UPDATE password_resets SET used_at = $2::timestamptz WHERE user_id = $1 AND used_at IS NULL',
    [userId, now.toISOString()],
  );
}

/**
 * Sets the first password of an account that was made for its person, whose address an e-mail has
 * proved as well as the link would; the links end. Lock the account before, in a separate
 * statement: its person may be signing in by a provider at this moment.
 *
 * @returns false for an account in use, which stays as it is
 */
export async function setFirstPassword(
  db: Queryable,
  user: { id: string; email: string },
  { passwordHash, address, now }: { passwordHash: string; address: string | null; now: Date },
): Promise<boolean> {
  const { rowCount } = await db.query(
    `UPDATE users SET password_hash = $2 WHERE id = $1 AND disabled_at IS NULL AND ${IS_UNUSED}`,
    [user.id, passwordHash],
  );
  if (rowCount !== 1) return false;
  await endPasswordLinks(db, user.id, now);
  const actor = { type: 'staff' as const, id: user.id, label: user.email, address };
  await recordPersonalAudit(db, user.id, { actor, now, action: 'password.set' });
  return true;
}
