import type pg from 'pg';
import { inTransaction, type Queryable } from '../db/pool.ts';
import { GatewayError } from '../lib/errors.ts';
import { type AuditActor, recordPersonalAudit } from '../merchants/audit.ts';
import { changePassword } from './password-reset.ts';
import { verifyPassword, weaknessOf } from './passwords.ts';
import { countRecoveryCodes, replaceRecoveryCodes } from './recovery-codes.ts';
import type { StaffSession } from './sessions.ts';
import {
  countProof,
  forgetProofs,
  kindOfProof,
  sealTotpSecret,
  takeCode,
  unsealTotpSecret,
} from './take-code.ts';
import { newTotpSecret, stepOfCode, totpAddress } from './totp.ts';

const FRESH_MS = 10 * 60_000;
const NOT_RIGHT = 'The password or the code is not right.';

/** Who changes their own second factor. */
export type Own = { session: StaffSession; actor: AuditActor; now: Date };

/** How a person's second factor stands. */
export type SecondFactorState = {
  /** Null while it is off. */
  enabledAtMs: number | null;
  codesLeft: number;
  /** An account that only ever signs in by a provider has none. */
  hasPassword: boolean;
  /** A merchant of theirs that demands a second factor, or null. */
  demandedBy: string | null;
};

/** Reads how the person's second factor stands. */
export async function readSecondFactor(
  db: Queryable,
  { user }: StaffSession,
): Promise<SecondFactorState> {
  const { rows } = await db.query<{ at: Date | null; has: boolean; demanded_by: string | null }>(
    `SELECT totp_enabled_at AS at, password_hash IS NOT NULL AS has,
            (SELECT m.name FROM memberships b JOIN merchants m ON m.id = b.merchant_id
             WHERE b.user_id = u.id AND m.require_totp ORDER BY m.name LIMIT 1) AS demanded_by
     FROM users u WHERE id = $1`,
    [user.id],
  );
  return {
    enabledAtMs: rows[0]?.at?.getTime() ?? null,
    codesLeft: await countRecoveryCodes(db, user.id),
    hasPassword: rows[0]?.has ?? false,
    demandedBy: rows[0]?.demanded_by ?? null,
  };
}

/** @throws GatewayError `rate_limited` after too many tries */
async function demandTry(pool: pg.Pool, attempt: Parameters<typeof countProof>[1]): Promise<void> {
  const tries = await countProof(pool, attempt);
  if (tries === 'throttled') {
    throw new GatewayError('rate_limited', 'Too many tries. Try again in a quarter of an hour.');
  }
  if (tries === 'spent' && attempt.kind === 'second factor') {
    throw new GatewayError(
      'rate_limited',
      'Too many tries for one day. Try again tomorrow, or use your password or a recovery code.',
    );
  }
  if (tries === 'spent') {
    throw new GatewayError('rate_limited', 'Too many tries for one day. Try again tomorrow.');
  }
}

/**
 * Makes sure once more that it is the person, and not somebody at their open browser.
 *
 * @param proof their password, a code of the app's or a recovery code
 * @returns the password's hash at that moment, or null without one
 * @throws GatewayError `validation` when it is not right, `rate_limited` after too many tries
 */
async function demandProof(
  pool: pg.Pool,
  { session, now }: Own,
  proof: string,
): Promise<string | null> {
  const userId = session.user.id;
  await demandTry(pool, { userId, kind: kindOfProof(proof), now });
  const { rows } = await pool.query<{ password_hash: string | null }>(
    'SELECT password_hash FROM users WHERE id = $1',
    [userId],
  );
  const hash = rows[0]?.password_hash ?? null;
  const isRight =
    (await takeCode(pool, { userId, code: proof, now })) !== null ||
    (await verifyPassword(hash, proof));
  if (!isRight) throw new GatewayError('validation', NOT_RIGHT);
  await forgetProofs(pool, userId);
  return hash;
}

/**
 * The same for an account that has nothing to prove it with, because its person only ever signs
 * in by a provider: whom it has just vouched for is taken at their word.
 *
 * @throws GatewayError `forbidden` when the sign-in is too long ago
 */
async function demandFreshSignIn(db: Queryable, { session, now }: Own): Promise<void> {
  const since = new Date(now.getTime() - FRESH_MS).toISOString();
  const { rowCount } = await db.query(
    'SELECT FROM sessions WHERE id = $1 AND created_at > $2::timestamptz',
    [session.id, since],
  );
  if (rowCount !== 1) throw new GatewayError('forbidden', 'Sign out and in again first.');
}

/**
 * Makes a secret that waits for its first code; until then nothing changes.
 *
 * Also the first one asks who it is: its codes prove the person from then on, for a new password
 * too, so that somebody at their open browser could take the account over.
 *
 * @param proof null for an account that has neither a password nor a second factor
 * @returns the secret in base 32 and the address for the app, shown now and not again
 * @throws GatewayError as `demandProof`; `forbidden` where nothing can be proved and the sign-in
 *   is more than ten minutes ago
 */
export async function beginSecondFactor(
  pool: pg.Pool,
  own: Own,
  proof: string | null,
): Promise<{ secret: string; address: string }> {
  const { id, email } = own.session.user;
  const { enabledAtMs, hasPassword } = await readSecondFactor(pool, own.session);
  if (enabledAtMs !== null || hasPassword) await demandProof(pool, own, proof ?? '');
  else await demandFreshSignIn(pool, own);
  const secret = newTotpSecret();
  await pool.query('UPDATE users SET totp_pending = $2 WHERE id = $1', [
    id,
    sealTotpSecret(id, secret),
  ]);
  return { secret, address: totpAddress(secret, email) };
}

/**
 * Turns the second factor on, or puts a new one in the old one's place, by a first code.
 * The person's other sessions are asked for a code before they open anything again.
 *
 * @returns ten recovery codes, shown once
 * @throws GatewayError `validation` when the code is not right, `conflict` when nothing waits
 *   for one, `rate_limited` after too many tries
 */
export async function confirmSecondFactor(
  pool: pg.Pool,
  { session, actor, now }: Own,
  code: string,
): Promise<{ recoveryCodes: string[] }> {
  const userId = session.user.id;
  await demandTry(pool, { userId, kind: 'first code', now });
  const { rows } = await pool.query<{ totp_pending: Buffer | null }>(
    'SELECT totp_pending FROM users WHERE id = $1',
    [userId],
  );
  const pending = rows[0]?.totp_pending;
  if (!pending) throw new GatewayError('conflict', 'Begin again: no code is waited for.');
  const step = stepOfCode(unsealTotpSecret(userId, pending), code.replace(/[\s-]/g, ''), now);
  if (step === null) throw new GatewayError('validation', 'The code is not right.');
  return await inTransaction(pool, async (db) => {
    const { rowCount } = await db.query(
      `UPDATE users SET totp_secret = totp_pending, totp_pending = NULL, totp_last_step = $3,
                        totp_enabled_at = $4::timestamptz
       WHERE id = $1 AND totp_pending = $2`,
      [userId, pending, step, now.toISOString()],
    );
    if (rowCount !== 1) throw new GatewayError('conflict', 'Begin again: no code is waited for.');
    await db.query(
      `UPDATE sessions SET second_factor_at = CASE WHEN id = $2 THEN $3::timestamptz END
       WHERE user_id = $1`,
      [userId, session.id, now.toISOString()],
    );
    const recoveryCodes = await replaceRecoveryCodes(db, userId);
    await forgetProofs(db, userId);
    await recordPersonalAudit(db, userId, { actor, now, action: 'second_factor.turn_on' });
    return { recoveryCodes };
  });
}

/**
 * Turns the second factor off; its recovery codes are gone.
 *
 * @throws GatewayError as `demandProof`; `conflict` while a merchant of theirs demands one
 */
export async function turnOffSecondFactor(pool: pg.Pool, own: Own, proof: string): Promise<void> {
  const { session, actor, now } = own;
  const userId = session.user.id;
  await demandProof(pool, own, proof);
  await inTransaction(pool, async (db) => {
    const { rowCount } = await db.query(
      `UPDATE users SET totp_secret = NULL, totp_pending = NULL, totp_enabled_at = NULL
       WHERE id = $1 AND totp_enabled_at IS NOT NULL AND NOT EXISTS (
         SELECT FROM memberships b JOIN merchants m ON m.id = b.merchant_id
         WHERE b.user_id = $1 AND m.require_totp)`,
      [userId],
    );
    if (rowCount !== 1) {
      throw new GatewayError('conflict', 'It is off already, or a merchant of yours demands it.');
    }
    await db.query('DELETE FROM recovery_codes WHERE user_id = $1', [userId]);
    await recordPersonalAudit(db, userId, { actor, now, action: 'second_factor.turn_off' });
  });
}

/**
 * Makes ten new recovery codes; the old ones end.
 *
 * @throws GatewayError as `demandProof`; `conflict` while there is no second factor
 */
export async function renewRecoveryCodes(
  pool: pg.Pool,
  own: Own,
  proof: string,
): Promise<{ recoveryCodes: string[] }> {
  const { session, actor, now } = own;
  const userId = session.user.id;
  await demandProof(pool, own, proof);
  return await inTransaction(pool, async (db) => {
    const { rowCount } = await db.query(
      'SELECT FROM users WHERE id = $1 AND totp_enabled_at IS NOT NULL FOR UPDATE',
      [userId],
    );
    if (rowCount !== 1) throw new GatewayError('conflict', 'There is no second factor.');
    const recoveryCodes = await replaceRecoveryCodes(db, userId);
    await recordPersonalAudit(db, userId, { actor, now, action: 'recovery_codes.renew' });
    return { recoveryCodes };
  });
}

/**
 * Changes one's own password; all other sessions end.
 *
 * @throws GatewayError as `demandProof`, also when a reset came in between; `conflict` for a
 *   password that will not do
 */
export async function changeOwnPassword(
  pool: pg.Pool,
  own: Own,
  { proof, password }: { proof: string; password: string },
): Promise<void> {
  const { session, actor, now } = own;
  const hashBefore = await demandProof(pool, own, proof);
  const weakness = weaknessOf(password, session.user.email);
  // A proof that is wrong is told apart from a new password that is weak.
  if (weakness) throw new GatewayError('conflict', weakness);
  const address = actor.address ?? null;
  const change = { password, hashBefore, sessionId: session.id, address, now };
  const isChanged = await changePassword(pool, session.user, change);
  if (!isChanged) throw new GatewayError('validation', NOT_RIGHT);
}
