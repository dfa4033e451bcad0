import type pg from 'pg';
import { inTransaction } from '../db/pool.ts';
import { type AuditActor, recordAudit } from './audit.ts';
import { findOrCreateUser, setMember } from './members.ts';
import { lockTeam } from './team.ts';

/**
 * Makes a person an owner of a merchant, whoever owns it: for the operator only, where nobody is
 * left who can.
 *
 * @returns `password` only for a new account, shown once; `unchanged` when they were an owner
 * @throws GatewayError `validation` for a bad address, `conflict` for a disabled account
 */
export async function addOwner(
  pool: pg.Pool,
  wish: { merchantId: string; email: string; actor: AuditActor; now: Date },
): Promise<
  { outcome: 'added' | 'unchanged'; email: string; password: string | null } | 'not_found'
> {
  const { merchantId, actor, now } = wish;
  return await inTransaction(pool, async (db) => {
    await lockTeam(db, merchantId);
    const { rowCount } = await db.query('SELECT FROM merchants WHERE id = $1', [merchantId]);
    if (rowCount !== 1) return 'not_found';
    const { id: userId, ...known } = await findOrCreateUser(db, { email: wish.email, now });
    const { rowCount: isOwner } = await db.query(
      `SELECT FROM memberships WHERE merchant_id = $1 AND user_id = $2 AND role = 'owner'`,
      [merchantId, userId],
    );
    if (isOwner === 1) return { outcome: 'unchanged', ...known };
    await setMember(db, { merchantId, userId, role: 'owner', now });
    await recordAudit(db, {
      actor,
      now,
      action: 'member.add_owner',
      merchantId,
      target: { type: 'user', id: userId },
      details: { email: known.email },
    });
    return { outcome: 'added', ...known };
  });
}
