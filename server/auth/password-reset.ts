import { createHash } from 'node:crypto';
import type pg from 'pg';
import { inTransaction, type Queryable } from '../db/pool.ts';
import { hashToken, newLinkToken } from '../lib/opaque-token.ts';
import { recordPersonalAudit } from '../merchants/audit.ts';
import type { PasswordLink } from '../merchants/types.ts';
import { accountEmail, MAX_EMAIL_LENGTH } from '../staff/email-address.ts';
import { hashPassword } from '../staff/password-hash.ts';
import { endPasswordLinks } from '../staff/password-link.ts';
import type { MarkedAccount } from './known-browser.ts';
import { checkNewPassword } from './passwords.ts';
import { lockAccount, lockAsProved } from './second-factor/proof.ts';
import type { StaffSession } from './sessions.ts';
import { accountKey } from './sign-in.ts';
import { countTry, forgetTries, type Limit } from './throttle.ts';

const HOUR_MS = 60 * 60 * 1000;
/** How long the e-mail's link works. */
const LINK_LIFETIME_MS = HOUR_MS;
// E-mails that strangers can make us send to one person, and those from one network.
export const RESET_ACCOUNT_LIMIT: Limit = { max: 3, windowMs: HOUR_MS };
export const RESET_ADDRESS_LIMIT: Limit = { max: 30, windowMs: HOUR_MS };

/**
 * Counts a request for a new password and makes the link, if there is such an account. An unknown
 * address costs the same: one transaction that writes.
 *
 * @returns `link` for a known address only; only the e-mail may reveal it
 */
export async function requestReset(
  pool: pg.Pool,
  request: { email: string; addressKey: string; now: Date },
): Promise<{ outcome: 'accepted'; link: PasswordLink | null } | { outcome: 'throttled' }> {
  const { now } = request;
  const email = accountEmail(request.email).slice(0, MAX_EMAIL_LENGTH);
  const { token, hash } = newLinkToken();
  const expiresAt = new Date(now.getTime() + LINK_LIFETIME_MS);
  const key = createHash('sha256').update(email).digest('base64url');
  return await inTransaction(pool, async (db) => {
    const byAddress = `reset address ${request.addressKey}`;
    const isAllowed =
      (await countTry(db, byAddress, RESET_ADDRESS_LIMIT, now)) &&
      (await countTry(db, `reset account ${key}`, RESET_ACCOUNT_LIMIT, now));
    if (!isAllowed) return { outcome: 'throttled' };
    const { rowCount } = await db.query(
      `INSERT INTO password_resets (token_hash, user_id, created_at, expires_at)
       SELECT $1, id, $3, $4 FROM users WHERE email = $2 AND disabled_at IS NULL`,
      [hash, email, now.toISOString(), expiresAt.toISOString()],
    );
    const link = rowCount === 1 ? { email, token, expiresAt } : null;
    return { outcome: 'accepted', link };
  });
}

/** The owner of a working link and whether it sets their first password; null otherwise. */
export async function findReset(
  db: Queryable,
  token: string,
  now: Date,
): Promise<{ userId: string; email: string; isFirst: boolean } | null> {
  const { rows } = await db.query<{ id: string; email: string; is_first: boolean }>(
    `SELECT u.id, u.email, u.password_hash IS NULL AS is_first
     FROM password_resets r JOIN users u ON u.id = r.user_id
     WHERE r.token_hash = $1 AND r.used_at IS NULL AND r.expires_at > $2::timestamptz
       AND u.disabled_at IS NULL`,
    [hashToken(token), now.toISOString()],
  );
  const [row] = rows;
  return row ? { userId: row.id, email: row.email, isFirst: row.is_first } : null;
}

/**
 * Stores a password and ends what depended on the previous one: tries, links, sessions, and a
 * second factor not yet set up, since anybody who knew that password may hold its secret.
 */
async function storePassword(
  db: Queryable,
  user: { id: string; email: string },
  change: { hash: string; keepSessionId: string | null; now: Date },
): Promise<void> {
  await db.query('UPDATE users SET password_hash = $2, totp_pending = NULL WHERE id = $1', [
    user.id,
    change.hash,
  ]);
  await endPasswordLinks(db, user.id, change.now);
  await db.query('DELETE FROM sessions WHERE user_id = $1 AND id IS DISTINCT FROM $2', [
    user.id,
    change.keepSessionId,
  ]);
  await forgetTries(db, accountKey(user.email));
}

/**
 * Ends a person's links for a first password once they have signed in without one: other people may
 * have seen the links. Lock the account first.
 */
export async function endFirstLinks(db: Queryable, userId: string, now: Date): Promise<void> {
  await db.query(
    `UPDATE password_resets r SET used_at = $2::timestamptz FROM users u
     WHERE r.user_id = $1 AND r.used_at IS NULL AND u.id = r.user_id AND u.password_hash IS NULL`,
    [userId, now.toISOString()],
  );
}

/**
 * Sets a password by a link, which works once, and ends all sessions. A second factor stays.
 *
 * @returns the changed account, for its browser's mark and an e-mail, and whether it had no
 *   password before
 * @throws GatewayError `validation` for an unacceptable password; the link still works
 */
export async function resetPassword(
  pool: pg.Pool,
  { token, password, address, now }: ResetByLink,
): Promise<(MarkedAccount & { email: string; isFirst: boolean }) | 'gone'> {
  const found = await findReset(pool, token, now);
  if (!found) return 'gone';
  checkNewPassword(password, found.email);
  const hash = await hashPassword(password);
  return await inTransaction(pool, async (db) => {
    if (!(await lockAccount(db, found.userId))) return 'gone';
    const { rowCount } = await db.query(
      `UPDATE password_resets SET used_at = $2::timestamptz
       WHERE token_hash = $1 AND used_at IS NULL AND expires_at > $2::timestamptz`,
      [hashToken(token), now.toISOString()],
    );
    if (rowCount !== 1) return 'gone';
    const { userId, email, isFirst } = found;
    await storePassword(db, { id: userId, email }, { hash, keepSessionId: null, now });
    const actor = { type: 'staff' as const, id: userId, label: email, address };
    const action = isFirst ? 'password.set' : 'password.reset';
    await recordPersonalAudit(db, userId, { actor, now, action });
    return { id: userId, password_hash: hash, email, isFirst };
  });
}

type ResetByLink = { token: string; password: string; address: string | null; now: Date };

type OwnChange = {
  password: string;
  /** The account's hash when its person proved their identity; null without one. */
  hashBefore: string | null;
  address: string | null;
  now: Date;
};

/**
 * Changes the password of a signed-in person who has just proved their identity again; all their
 * other sessions end.
 *
 * @returns as `resetPassword`
 * @throws GatewayError `validation` for an unacceptable password, and as `lockAsProved`
 */
export async function changePassword(
  pool: pg.Pool,
  session: StaffSession,
  change: OwnChange,
): Promise<MarkedAccount> {
  const { now } = change;
  const { user } = session;
  checkNewPassword(change.password, user.email);
  const hash = await hashPassword(change.password);
  await inTransaction(pool, async (db) => {
    await lockAsProved(db, session, change.hashBefore);
    await storePassword(db, user, { hash, keepSessionId: session.id, now });
    const actor = {
      type: 'staff' as const,
      id: user.id,
      label: user.email,
      address: change.address,
    };
    await recordPersonalAudit(db, user.id, { actor, now, action: 'password.change' });
  });
  return { id: user.id, password_hash: hash };
}
