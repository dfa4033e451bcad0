import type { Queryable } from '../db/pool.ts';
import { newLinkToken } from '../lib/opaque-token.ts';
import { type AuditActor, recordPersonalAudit } from '../merchants/audit.ts';
import type { PasswordLink } from '../merchants/types.ts';

// As an invitation: nobody has asked for it, and it waits for its person to read it.
const LIFETIME_MS = 7 * 24 * 60 * 60 * 1000;

/** Whether a row of `users` waits for its person's first use: no password, no sign-in by a provider. */
export const IS_UNUSED = `users.password_hash IS NULL AND NOT EXISTS
  (SELECT FROM audit_log WHERE target_id = users.id AND action = 'session.sign_in')`;

/**
 * Makes the link by which the person of an account that was made for them sets its first password.
 * Call it with the person whom `findOrCreateUser` gave, in its transaction: of a password that is
 * set meanwhile it would be a way around. Links from before end: one may have come into wrong hands.
 *
 * @returns null for who has a password or has signed in by a provider: the account is theirs, and
 *   whoever hands the link over must not get into it
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

/** Ends the links for a new password that a person has. */
export async function endPasswordLinks(db: Queryable, userId: string, now: Date): Promise<void> {
  await db.query(
    'UPDATE password_resets SET used_at = $2::timestamptz WHERE user_id = $1 AND used_at IS NULL',
    [userId, now.toISOString()],
  );
}

/**
 * Sets the first password of an account that was made for its person, by e-mail to its address
 * that proves as much as the link's; the links end. Lock the account before, in a statement of its
 * own: its person may be coming in by a provider at this moment.
 *
 * @returns false for an account that is in use: it stays as it is
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
