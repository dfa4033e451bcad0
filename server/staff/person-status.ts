import type pg from 'pg';
import { inTransaction, type Queryable } from '../db/pool.ts';
import { type AuditActor, recordPersonalAudit } from '../merchants/audit.ts';
import { lockMerchant } from '../merchants/lock.ts';
import { accountEmail } from './email-address.ts';
import { endPasswordLinks } from './password-link.ts';
import { withdrawInvitationsOf } from './team.ts';

type PersonChange = {
  email: string;
  status: 'active' | 'disabled';
  actor: AuditActor;
  now: Date;
};

/** Ends sessions, including those that wait for a code, and links for a new password. */
async function endSignIns(db: Queryable, userId: string, now: Date): Promise<void> {
  await db.query('DELETE FROM sessions WHERE user_id = $1', [userId]);
  await endPasswordLinks(db, userId, now);
}

/** They could return with an invitation to another of their addresses. */
async function withdrawInvitationsBy(
  db: Queryable,
  by: { userId: string; actor: AuditActor; now: Date },
): Promise<void> {
  const { rows } = await db.query<{ merchant_id: string }>(
    'SELECT merchant_id FROM memberships WHERE user_id = $1 ORDER BY merchant_id',
    [by.userId],
  );
  for (const { merchant_id: merchantId } of rows) {
    await lockMerchant(db, merchantId);
    await withdrawInvitationsOf(db, merchantId, by, null);
  }
}

/**
 * Disables or enables an account of staff or an operator: for the operator only. A disabled account
 * cannot sign in, and what it has begun ends: sessions, links for a new password, a second factor
 * not yet set up, the invitations that it made. Its password, second factor and memberships stay
 * for when it is enabled again.
 *
 * @returns `unchanged` when it already was in that state
 */
export async function setPersonStatus(
  pool: pg.Pool,
  change: PersonChange,
): Promise<'changed' | 'unchanged' | 'not_found'> {
  const { status, actor, now } = change;
  const email = accountEmail(change.email);
  const isDisabled = status === 'disabled';
  return await inTransaction(pool, async (db) => {
    const { rows } = await db.query<{ id: string }>(
      `UPDATE users SET disabled_at = $2::timestamptz, totp_pending = NULL
       WHERE email = $1 AND (disabled_at IS NULL) = ($2::timestamptz IS NOT NULL) RETURNING id`,
      [email, isDisabled ? now.toISOString() : null],
    );
    const userId = rows[0]?.id;
    if (userId === undefined) {
      const { rowCount: known } = await db.query('SELECT FROM users WHERE email = $1', [email]);
      return known === 1 ? 'unchanged' : 'not_found';
    }
    if (isDisabled) await withdrawInvitationsBy(db, { userId, actor, now });
    // Enabling ends them too: a sign-in under way may have left one meanwhile.
    await endSignIns(db, userId, now);
    const action = isDisabled ? 'person.disable' : 'person.enable';
    await recordPersonalAudit(db, userId, { actor, now, action, details: { email } });
    return 'changed';
  });
}
