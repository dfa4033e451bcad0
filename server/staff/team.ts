import type pg from 'pg';
import { inTransaction, type Queryable } from '../db/pool.ts';
import { GatewayError } from '../lib/errors.ts';
import { type AuditActor, recordAudit } from '../merchants/audit.ts';
import { lockMerchant } from '../merchants/lock.ts';
import { ROLES, type Role, type Tenant } from '../merchants/types.ts';
import { mayGrant } from './roles.ts';

/** A member of staff who acts on their team. */
export type TeamActor = AuditActor & { id: string };

/** A member of a merchant's staff. Times in milliseconds. */
export type MemberView = {
  userId: string;
  email: string;
  role: Role;
  hasSecondFactor: boolean;
  /** The gateway's operator has disabled the account. */
  isDisabled: boolean;
  joinedAtMs: number;
  /** When they last viewed this merchant's data; null for never. */
  lastSeenAtMs: number | null;
};

/** The staff of a merchant, owners first. */
export async function listMembers(db: Queryable, { merchantId }: Tenant): Promise<MemberView[]> {
  const { rows } = await db.query<{
    id: string;
    email: string;
    role: Role;
    has_totp: boolean;
    disabled: boolean;
    created_at: Date;
    last_seen_at: Date | null;
  }>(
    `SELECT u.id, u.email, b.role, u.totp_enabled_at IS NOT NULL AS has_totp,
            u.disabled_at IS NOT NULL AS disabled, b.created_at, b.last_seen_at
     FROM memberships b JOIN users u ON u.id = b.user_id
     WHERE b.merchant_id = $1 ORDER BY b.role, u.email LIMIT 1000`,
    [merchantId],
  );
  return rows.map((row) => ({
    userId: row.id,
    email: row.email,
    role: row.role,
    hasSecondFactor: row.has_totp,
    isDisabled: row.disabled,
    joinedAtMs: row.created_at.getTime(),
    lastSeenAtMs: row.last_seen_at?.getTime() ?? null,
  }));
}

/** Whether the merchant demands a second factor of everybody on its staff. */
export async function readSecondFactorDemand(
  db: Queryable,
  { merchantId }: Tenant,
): Promise<boolean> {
  const { rows } = await db.query<{ require_totp: boolean }>(
    'SELECT require_totp FROM merchants WHERE id = $1',
    [merchantId],
  );
  return rows[0]?.require_totp ?? false;
}

/**
 * Checks that somebody may still give that role.
 *
 * @throws GatewayError `forbidden`
 */
export async function assertMayGrant(
  db: Queryable,
  merchantId: string,
  userId: string,
  role: Role,
): Promise<void> {
  const { rows } = await db.query<{ role: Role }>(
    `SELECT b.role FROM memberships b JOIN users u ON u.id = b.user_id
     WHERE b.merchant_id = $1 AND b.user_id = $2 AND u.disabled_at IS NULL`,
    [merchantId, userId],
  );
  if (!rows[0] || !mayGrant(rows[0].role, role)) {
    throw new GatewayError('role_above_own');
  }
}

type Change = { userId: string; actor: TeamActor; now: Date };

/** Reads a member under the lock, and refuses a person who may not change them. */
async function memberToChange(
  db: Queryable,
  merchantId: string,
  { userId, actor }: Change,
): Promise<{ role: Role; email: string }> {
  const { rows } = await db.query<{ role: Role; email: string }>(
    `SELECT b.role, u.email FROM memberships b JOIN users u ON u.id = b.user_id
     WHERE b.merchant_id = $1 AND b.user_id = $2`,
    [merchantId, userId],
  );
  const [member] = rows;
  if (!member) throw new GatewayError('member_not_found');
  await assertMayGrant(db, merchantId, actor.id, member.role);
  return member;
}

// The statement itself looks for another owner, independently of earlier reads.
const ANOTHER_OWNER = `EXISTS (
  SELECT FROM memberships o JOIN users u ON u.id = o.user_id
  WHERE o.merchant_id = $1 AND o.user_id <> $2 AND o.role = 'owner' AND u.disabled_at IS NULL)`;

/**
 * Ends a person's open invitations that they could no longer make, and writes the audit log; `role`
 * null ends all.
 *
 * @param by.email if given, one to themselves, from before they joined the team, ends too
 */
export async function withdrawInvitationsOf(
  db: Queryable,
  merchantId: string,
  by: { userId: string; email?: string; actor: AuditActor; now: Date },
  role: Role | null,
): Promise<void> {
  const { userId, actor, now } = by;
  const beyond = ROLES.filter((each) => role === null || !mayGrant(role, each));
  const { rows } = await db.query<{ id: string; email: string }>(
    `UPDATE invitations SET withdrawn_at = $4::timestamptz
     WHERE merchant_id = $1 AND ((invited_by_id = $2 AND role = ANY($3::role[])) OR email = $5)
       AND accepted_at IS NULL AND withdrawn_at IS NULL RETURNING id, email`,
    [merchantId, userId, beyond, now.toISOString(), by.email ?? null],
  );
  for (const { id, email } of rows) {
    await recordAudit(db, {
      actor,
      now,
      action: 'invitation.withdraw',
      merchantId,
      target: { type: 'invitation', id },
      details: { email },
    });
  }
}

/**
 * Gives a member another role.
 *
 * @throws GatewayError `not_found`, `forbidden` when either role is above one's own,
 *   `conflict` for the last owner
 */
export async function changeRole(
  pool: pg.Pool,
  { merchantId }: Tenant,
  change: Change & { role: Role },
): Promise<void> {
  const { userId, role, actor, now } = change;
  await inTransaction(pool, async (db) => {
    await lockMerchant(db, merchantId);
    const member = await memberToChange(db, merchantId, change);
    await assertMayGrant(db, merchantId, actor.id, role);
    if (member.role === role) return;
    const { rowCount } = await db.query(
      `UPDATE memberships SET role = $3::role
       WHERE merchant_id = $1 AND user_id = $2 AND role = $4::role
         AND (role <> 'owner' OR ${ANOTHER_OWNER})`,
      [merchantId, userId, role, member.role],
    );
    if (rowCount !== 1) throw new GatewayError('last_owner');
    await withdrawInvitationsOf(db, merchantId, change, role);
    await recordAudit(db, {
      actor,
      now,
      action: 'member.role',
      merchantId,
      target: { type: 'user', id: userId },
      details: { email: member.email, from: member.role, to: role },
    });
  });
}

/**
 * Takes a person off the staff: their sessions at this merchant end at once. A person who leaves
 * voluntarily stays signed in, at another of their merchants or at none.
 *
 * @throws GatewayError `not_found`, `forbidden` for a role above one's own, `conflict` for the
 *   last owner
 */
export async function removeMember(
  pool: pg.Pool,
  { merchantId }: Tenant,
  change: Change,
): Promise<void> {
  const { userId, actor, now } = change;
  await inTransaction(pool, async (db) => {
    await lockMerchant(db, merchantId);
    const member = await memberToChange(db, merchantId, change);
    const { rowCount } = await db.query(
      `DELETE FROM memberships WHERE merchant_id = $1 AND user_id = $2 AND role = $3::role
         AND (role <> 'owner' OR ${ANOTHER_OWNER})`,
      [merchantId, userId, member.role],
    );
    if (rowCount !== 1) throw new GatewayError('last_owner');
    const isLeaving = userId === actor.id;
    await db.query(
      isLeaving
        ? 'UPDATE sessions SET merchant_id = NULL WHERE user_id = $1 AND merchant_id = $2'
        : 'DELETE FROM sessions WHERE user_id = $1 AND merchant_id = $2',
      [userId, merchantId],
    );
    await withdrawInvitationsOf(db, merchantId, { ...change, email: member.email }, null);
    await recordAudit(db, {
      actor,
      now,
      action: isLeaving ? 'member.leave' : 'member.remove',
      merchantId,
      target: { type: 'user', id: userId },
      details: { email: member.email, role: member.role },
    });
  });
}

/**
 * Requires a second factor of all staff, or no longer. The owner who requires it must have one.
 *
 * @throws GatewayError `conflict` when the owner has none
 */
export async function demandSecondFactor(
  pool: pg.Pool,
  { merchantId }: Tenant,
  { isDemanded, actor, now }: { isDemanded: boolean; actor: TeamActor; now: Date },
): Promise<void> {
  await inTransaction(pool, async (db) => {
    await lockMerchant(db, merchantId);
    const { rowCount: hasOne } = await db.query(
      'SELECT FROM users WHERE id = $1 AND totp_enabled_at IS NOT NULL',
      [actor.id],
    );
    if (isDemanded && hasOne !== 1) {
      throw new GatewayError('own_second_factor_missing');
    }
    const { rowCount } = await db.query(
      'UPDATE merchants SET require_totp = $2 WHERE id = $1 AND require_totp <> $2',
      [merchantId, isDemanded],
    );
    if (rowCount !== 1) return;
    const action = isDemanded ? 'second_factor.demand' : 'second_factor.release';
    const target = { type: 'merchant', id: merchantId };
    await recordAudit(db, { actor, now, action, merchantId, target });
  });
}
