import type pg from 'pg';
import { inTransaction, type Queryable } from '../db/pool.ts';
import { type AuditActor, recordAudit } from '../merchants/audit.ts';
import { lockMerchant } from '../merchants/lock.ts';
import type { PasswordLink } from '../merchants/types.ts';
import { findOrCreateUser, setMember } from './members.ts';
import { inviteToSetPassword } from './password-link.ts';

/**
 * Makes a person an owner of a merchant: for the operator only, when no owner is left who can.
 *
 * @returns `link` while their account waits for its first use; `unchanged` when they already were
 * an owner
 * @throws GatewayError `validation` for a bad address, `conflict` for a disabled account
 */
export async function addOwner(
  pool: pg.Pool,
  wish: { merchantId: string; email: string; actor: AuditActor; now: Date },
): Promise<AddedOwner | 'not_found'> {
  const { merchantId, actor, now } = wish;
  return await inTransaction(pool, async (db) => {
    const { rows } = await db.query<{ name: string }>('SELECT name FROM merchants WHERE id = $1', [
      merchantId,
    ]);
    if (!rows[0]) return 'not_found';
    // The account is locked before the team, the same order as when an account is disabled.
    const user = await findOrCreateUser(db, { email: wish.email, now });
    await lockMerchant(db, merchantId);
    const isAdded = await makeOwner(db, { merchantId, user, actor, now });
    const link = await inviteToSetPassword(db, { user, actor, now });
    const outcome = isAdded ? 'added' : 'unchanged';
    return { outcome, email: user.email, merchantName: rows[0].name, link };
  });
}

type AddedOwner = {
  outcome: 'added' | 'unchanged';
  email: string;
  merchantName: string;
  link: PasswordLink | null;
};

/** @returns false when they already were an owner */
async function makeOwner(
  db: Queryable,
  by: { merchantId: string; user: { id: string; email: string }; actor: AuditActor; now: Date },
): Promise<boolean> {
  const { merchantId, user, actor, now } = by;
  const { rowCount: isOwner } = await db.query(
    `SELECT FROM memberships WHERE merchant_id = $1 AND user_id = $2 AND role = 'owner'`,
    [merchantId, user.id],
  );
  if (isOwner === 1) return false;
  await setMember(db, { merchantId, userId: user.id, role: 'owner', now });
  const target = { type: 'user', id: user.id };
  const details = { email: user.email };
  await recordAudit(db, { actor, now, action: 'member.add_owner', merchantId, target, details });
  return true;
}
