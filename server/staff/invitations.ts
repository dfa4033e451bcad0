import type pg from 'pg';
import { inTransaction, type Queryable } from '../db/pool.ts';
import { GatewayError } from '../lib/errors.ts';
import { newId } from '../lib/ids.ts';
import { hashToken, newLinkToken } from '../lib/opaque-token.ts';
import { recordAudit } from '../merchants/audit.ts';
import { lockMerchant } from '../merchants/lock.ts';
import type { Role, Tenant } from '../merchants/types.ts';
import { normaliseEmail } from './email-address.ts';
import { setMember } from './members.ts';
import { IS_UNUSED, setFirstPassword } from './password-link.ts';
import { assertMayGrant, type TeamActor } from './team.ts';

const LIFETIME_MS = 7 * 24 * 60 * 60 * 1000;
const OPEN = 'accepted_at IS NULL AND withdrawn_at IS NULL';

/** What an e-mail needs; the token is stored nowhere else. */
export type InvitationLink = {
  id: string;
  email: string;
  role: Role;
  locale: string;
  token: string;
  expiresAt: Date;
};

/** An open invitation on the team page. Times in milliseconds. */
export type InvitationView = {
  id: string;
  email: string;
  role: Role;
  createdAtMs: number;
  expiresAtMs: number;
  isExpired: boolean;
};

/** A merchant's open invitations, the newest first. */
export async function listInvitations(
  db: Queryable,
  { merchantId }: Tenant,
  now: Date,
): Promise<InvitationView[]> {
  const { rows } = await db.query<{
    id: string;
    email: string;
    role: Role;
    created_at: Date;
    expires_at: Date;
  }>(
    `SELECT id, email, role, created_at, expires_at FROM invitations
     WHERE merchant_id = $1 AND ${OPEN} ORDER BY created_at DESC, id LIMIT 200`,
    [merchantId],
  );
  return rows.map(({ id, email, role, created_at, expires_at }) => ({
    id,
    email,
    role,
    createdAtMs: created_at.getTime(),
    expiresAtMs: expires_at.getTime(),
    isExpired: expires_at <= now,
  }));
}

/**
 * Records an invitation to the staff, for seven days.
 *
 * @throws GatewayError `conflict` for a member, or an address with an open invitation,
 *   `forbidden` for a role above one's own, `validation` for an invalid address
 */
export async function createInvitation(
  pool: pg.Pool,
  { merchantId }: Tenant,
  wish: { email: string; role: Role; locale: string; actor: TeamActor; now: Date },
): Promise<InvitationLink> {
  const { role, locale, actor, now } = wish;
  const email = normaliseEmail(wish.email);
  const id = newId('ivt', now.getTime());
  const { token, hash } = newLinkToken();
  const expiresAt = new Date(now.getTime() + LIFETIME_MS);
  return await inTransaction(pool, async (db) => {
    await lockMerchant(db, merchantId);
    await assertMayGrant(db, merchantId, actor.id, role);
    const { rowCount: isMember } = await db.query(
      `SELECT FROM memberships b JOIN users u ON u.id = b.user_id
       WHERE b.merchant_id = $1 AND u.email = $2`,
      [merchantId, email],
    );
    if (isMember) throw new GatewayError('already_member', { email });
    await db.query(
      `UPDATE invitations SET withdrawn_at = $3::timestamptz
       WHERE merchant_id = $1 AND email = $2 AND ${OPEN} AND expires_at <= $3::timestamptz`,
      [merchantId, email, now.toISOString()],
    );
    const { rowCount: isInvited } = await db.query(
      `SELECT FROM invitations WHERE merchant_id = $1 AND email = $2 AND ${OPEN}`,
      [merchantId, email],
    );
    if (isInvited) throw new GatewayError('already_invited', { email });
    await db.query(
      `INSERT INTO invitations
         (id, merchant_id, email, role, locale, token_hash, invited_by_id, created_at, expires_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
      [id, merchantId, email, role, locale, hash, actor.id, now.toISOString(), expiresAt],
    );
    const target = { type: 'invitation', id };
    const details = { email, role };
    await recordAudit(db, { actor, now, action: 'member.invite', merchantId, target, details });
    return { id, email, role, locale, token, expiresAt };
  });
}

/**
 * Makes a new link for an open invitation, for seven more days. The previous e-mail's link works as
 * well until `endLinkBefore`: that e-mail may be the only one that arrives. At most two links work:
 * after several failed e-mails, the first one's and the last one's.
 *
 * @throws GatewayError `not_found` when it is not open, `forbidden` for a role above one's own
 */
export async function renewInvitation(
  pool: pg.Pool,
  { merchantId }: Tenant,
  { invitationId, actor, now }: { invitationId: string; actor: TeamActor; now: Date },
): Promise<InvitationLink> {
  const { token, hash } = newLinkToken();
  const expiresAt = new Date(now.getTime() + LIFETIME_MS);
  return await inTransaction(pool, async (db) => {
    await lockMerchant(db, merchantId);
    const { rows } = await db.query<{ email: string; role: Role; locale: string }>(
      `UPDATE invitations
       SET token_hash = $3, token_hash_before = coalesce(token_hash_before, token_hash),
           expires_at = $4::timestamptz, invited_by_id = $5
       WHERE id = $1 AND merchant_id = $2 AND ${OPEN} RETURNING email, role, locale`,
      [invitationId, merchantId, hash, expiresAt.toISOString(), actor.id],
    );
    const [row] = rows;
    if (!row) throw new GatewayError('invitation_not_found');
    await assertMayGrant(db, merchantId, actor.id, row.role);
    await recordAudit(db, {
      actor,
      now,
      action: 'invitation.resend',
      merchantId,
      target: { type: 'invitation', id: invitationId },
      details: { email: row.email },
    });
    return { id: invitationId, ...row, token, expiresAt };
  });
}

/**
 * Ends the previous e-mail's link, once the e-mail with this token is sent. If a newer e-mail is on
 * its way, this one is the previous one: its link works until the newer is sent.
 */
export async function endLinkBefore(
  db: Queryable,
  { id, token }: Pick<InvitationLink, 'id' | 'token'>,
): Promise<void> {
  await db.query(
    `UPDATE invitations SET token_hash_before = CASE WHEN token_hash <> $2 THEN $2::bytea END
     WHERE id = $1 AND (token_hash = $2 OR token_hash_before IS NOT NULL)`,
    [id, hashToken(token)],
  );
}

/**
 * Withdraws an open invitation: its links stop working.
 *
 * @throws GatewayError `not_found` when it is not open, `forbidden` for a role above one's own
 */
export async function withdrawInvitation(
  pool: pg.Pool,
  { merchantId }: Tenant,
  { invitationId, actor, now }: { invitationId: string; actor: TeamActor; now: Date },
): Promise<void> {
  await inTransaction(pool, async (db) => {
    await lockMerchant(db, merchantId);
    const { rows } = await db.query<{ email: string; role: Role }>(
      `UPDATE invitations SET withdrawn_at = $3::timestamptz
       WHERE id = $1 AND merchant_id = $2 AND ${OPEN} RETURNING email, role`,
      [invitationId, merchantId, now.toISOString()],
    );
    const [row] = rows;
    if (!row) throw new GatewayError('invitation_not_found');
    await assertMayGrant(db, merchantId, actor.id, row.role);
    await recordAudit(db, {
      actor,
      now,
      action: 'invitation.withdraw',
      merchantId,
      target: { type: 'invitation', id: invitationId },
      details: { email: row.email },
    });
  });
}

/** An open invitation as its recipient sees it. */
export type OpenInvitation = {
  email: string;
  role: Role;
  merchantName: string;
  /** The sender's address; null for the operator. */
  invitedBy: string | null;
  /** The recipient's account is in use: no password is asked for. */
  hasAccount: boolean;
};

/** The open invitation of an e-mail's link, or null. */
export async function findInvitation(
  db: Queryable,
  token: string,
  now: Date,
): Promise<OpenInvitation | null> {
  const { rows } = await db.query<{
    email: string;
    role: Role;
    name: string;
    inviter: string | null;
  }>(
    `SELECT i.email, i.role, m.name, u.email AS inviter
     FROM invitations i JOIN merchants m ON m.id = i.merchant_id
     LEFT JOIN users u ON u.id = i.invited_by_id
     WHERE (i.token_hash = $1 OR i.token_hash_before = $1) AND ${OPEN}
       AND i.expires_at > $2::timestamptz`,
    [hashToken(token), now.toISOString()],
  );
  const [row] = rows;
  if (!row) return null;
  const { rows: users } = await db.query<{ disabled: boolean; unused: boolean }>(
    `SELECT disabled_at IS NOT NULL AS disabled, ${IS_UNUSED} AS unused
     FROM users WHERE email = $1`,
    [row.email],
  );
  const [user] = users;
  if (user?.disabled) return null;
  return {
    email: row.email,
    role: row.role,
    merchantName: row.name,
    invitedBy: row.inviter,
    hasAccount: user !== undefined && !user.unused,
  };
}

type Joined = {
  userId: string;
  email: string;
  /** `opened`: the account existed but was unused, and now has that password. */
  account: 'made' | 'opened' | 'known';
  /** One of the merchants that they joined. */
  merchantId: string;
};

/**
 * Accepts invitations: makes the recipient a member, with a new account if there was none.
 *
 * @param by the e-mail's link, or an address that a provider has verified
 * @param passwordHash for an account that is not in use yet; null when a provider signs in
 * @returns null when no invitation is open
 */
export async function acceptInvitations(
  db: Queryable,
  by: { tokenHash: Buffer } | { email: string },
  {
    passwordHash,
    address,
    now,
  }: { passwordHash: string | null; address: string | null; now: Date },
): Promise<Joined | null> {
  const [condition, value] =
    'email' in by
      ? (['email = $1', by.email] as const)
      : (['(token_hash = $1 OR token_hash_before = $1)', by.tokenHash] as const);
  const { rows } = await db.query<{ id: string; email: string; role: Role; merchant_id: string }>(
    `UPDATE invitations SET accepted_at = $2::timestamptz
     WHERE ${condition} AND ${OPEN} AND expires_at > $2::timestamptz
     RETURNING id, email, role, merchant_id`,
    [value, now.toISOString()],
  );
  const [first] = rows;
  if (!first) return null;
  const email = first.email;
  const { rowCount: made } = await db.query(
    `INSERT INTO users (id, email, password_hash, created_at) VALUES ($1, $2, $3, $4)
     ON CONFLICT (email) DO NOTHING`,
    [newId('usr', now.getTime()), email, passwordHash, now.toISOString()],
  );
  // The account is locked before its memberships, the same order as when an owner is made.
  const { rows: users } = await db.query<{ id: string }>(
    'SELECT id FROM users WHERE email = $1 AND disabled_at IS NULL FOR NO KEY UPDATE',
    [email],
  );
  const userId = users[0]?.id;
  if (userId === undefined) throw new GatewayError('own_account_disabled');
  for (const { id, role, merchant_id: merchantId } of rows) {
    const isAdded = await addMember(db, { merchantId, userId, role, now });
    if (!isAdded) continue;
    const actor = { type: 'staff' as const, id: userId, label: email, address };
    const target = { type: 'invitation', id };
    const details = { email, role };
    await recordAudit(db, { actor, now, action: 'member.join', merchantId, target, details });
  }
  const joined = { userId, email, merchantId: first.merchant_id };
  if (made === 1) return { ...joined, account: 'made' };
  const isOpened =
    passwordHash !== null &&
    (await setFirstPassword(db, { id: userId, email }, { passwordHash, address, now }));
  return { ...joined, account: isOpened ? 'opened' : 'known' };
}

/** @returns false when they are on the staff already: nothing changes then */
async function addMember(db: Queryable, member: Parameters<typeof setMember>[1]): Promise<boolean> {
  const { rowCount } = await db.query(
    'SELECT FROM memberships WHERE user_id = $1 AND merchant_id = $2',
    [member.userId, member.merchantId],
  );
  if (rowCount === 0) await setMember(db, member);
  return rowCount === 0;
}
