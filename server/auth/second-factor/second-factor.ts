import type pg from 'pg';
import { inTransaction, type Queryable } from '../../db/pool.ts';
import { GatewayError } from '../../lib/errors.ts';
import { foldCode } from '../../lib/typed-text.ts';
import { recordPersonalAudit } from '../../merchants/audit.ts';
import { settings } from '../../settings/settings.ts';
import type { MarkedAccount } from '../known-browser.ts';
import { changePassword } from '../password-reset.ts';
import { checkNewPassword } from '../passwords.ts';
import type { StaffSession } from '../sessions.ts';
import {
  demandFreshSignIn,
  demandProof,
  demandTry,
  lockAsProved,
  type Own,
  wrongProof,
} from './proof.ts';
import { countRecoveryCodes, replaceRecoveryCodes } from './recovery-codes.ts';
import { forgetProofs, sealPendingTotp, sealTotpSecret, unsealPendingTotp } from './take-code.ts';
import { newTotpSecret, stepOfCode, totpAddress } from './totp.ts';

/** The state of a person's second factor. */
export type SecondFactorState = {
  /** Null while it is off. */
  enabledAtMs: number | null;
  codesLeft: number;
  /** False for an account that only signs in by a provider. */
  hasPassword: boolean;
  /** One of their merchants that requires a second factor, or null. */
  demandedBy: string | null;
  /** They are an operator, and the gateway requires a second factor of its operators. */
  isDemandedOfOperators: boolean;
};

/** Reads the state of a person's second factor. */
export async function readSecondFactor(
  db: Queryable,
  { user }: StaffSession,
): Promise<SecondFactorState> {
  const { operatorsNeedSecondFactor } = settings();
  const { rows } = await db.query<{
    at: Date | null;
    has: boolean;
    is_operator: boolean;
    demanded_by: string | null;
  }>(
    `SELECT totp_enabled_at AS at, password_hash IS NOT NULL AS has, is_operator,
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
    isDemandedOfOperators: operatorsNeedSecondFactor && (rows[0]?.is_operator ?? false),
  };
}

/**
 * Makes a secret that waits for its first code; until then nothing changes.
 *
 * Even the first secret requires proof of identity, since its codes prove the person from then on,
 * also for a new password: somebody at their unattended browser could otherwise take the account.
 *
 * @param proof null for an account that has neither a password nor a second factor
 * @returns the secret in base 32 and the address for the app, shown now and not again
 * @throws GatewayError as `demandProof`; `forbidden` where there is nothing to prove with and the
 *   sign-in is more than ten minutes ago
 */
export async function beginSecondFactor(
  pool: pg.Pool,
  own: Own,
  proof: string | null,
): Promise<{ secret: string; address: string }> {
  const { id, email } = own.session.user;
  const { enabledAtMs, hasPassword } = await readSecondFactor(pool, own.session);
  const isProvable = enabledAtMs !== null || hasPassword;
  const hashBefore = isProvable ? await demandProof(pool, own, proof ?? '') : null;
  if (!isProvable) await demandFreshSignIn(pool, own);
  const secret = newTotpSecret();
  const pending = sealPendingTotp(id, { secret, now: own.now });
  await inTransaction(pool, async (db) => {
    await lockAsProved(db, own.session, hashBefore);
    await db.query('UPDATE users SET totp_pending = $2 WHERE id = $1', [id, pending]);
  });
  return { secret, address: totpAddress(secret, email) };
}

/**
 * Turns the second factor on, or replaces the old one, with a first code. The person's other
 * sessions have to give a code before they open anything again.
 *
 * @returns ten recovery codes, shown once
 * @throws GatewayError `validation` for a wrong code, `conflict` when no secret waits
 *   for one, `rate_limited` after too many attempts
 */
export async function confirmSecondFactor(
  pool: pg.Pool,
  own: Own,
  code: string,
): Promise<{ recoveryCodes: string[] }> {
  const { session, actor, now } = own;
  const userId = session.user.id;
  await demandTry(pool, own, 'first code');
  const { rows } = await pool.query<{ totp_pending: Buffer | null }>(
    'SELECT totp_pending FROM users WHERE id = $1',
    [userId],
  );
  const pending = rows[0]?.totp_pending ?? null;
  const secret = pending && unsealPendingTotp(userId, pending, now);
  if (!secret) throw new GatewayError('code_not_expected');
  const step = stepOfCode(secret, foldCode(code), now);
  if (step === null) throw wrongProof(own, 'code_wrong');
  return await inTransaction(pool, async (db) => {
    const { rowCount } = await db.query(
      `UPDATE users SET totp_secret = $5, totp_pending = NULL, totp_last_step = $3,
                        totp_enabled_at = $4::timestamptz
       WHERE id = $1 AND totp_pending = $2`,
      [userId, pending, step, now.toISOString(), sealTotpSecret(userId, secret)],
    );
    if (rowCount !== 1) throw new GatewayError('code_not_expected');
    // Codes are locked before sessions, as at a sign-in with one: otherwise the two deadlock.
    const recoveryCodes = await replaceRecoveryCodes(db, userId);
    await db.query(
      `UPDATE sessions SET second_factor_at = CASE WHEN id = $2 THEN $3::timestamptz END
       WHERE user_id = $1`,
      [userId, session.id, now.toISOString()],
    );
    await forgetProofs(db, userId);
    await recordPersonalAudit(db, userId, { actor, now, action: 'second_factor.turn_on' });
    return { recoveryCodes };
  });
}

/**
 * Turns the second factor off; its recovery codes go, and so do sessions that owe a code.
 *
 * @throws GatewayError as `demandProof`; `conflict` while one of their merchants, or the gateway
 *   of its operators, requires one
 */
export async function turnOffSecondFactor(pool: pg.Pool, own: Own, proof: string): Promise<void> {
  const { session, actor, now } = own;
  const userId = session.user.id;
  // Checked before the proof, which may be a single-use code.
  const state = await readSecondFactor(pool, session);
  const { enabledAtMs, demandedBy, isDemandedOfOperators } = state;
  if (enabledAtMs === null || demandedBy !== null) throw new GatewayError('second_factor_stays');
  if (isDemandedOfOperators) throw new GatewayError('operators_need_second_factor');
  const hashBefore = await demandProof(pool, own, proof);
  await inTransaction(pool, async (db) => {
    await lockAsProved(db, session, hashBefore);
    const { rowCount } = await db.query(
      `UPDATE users SET totp_secret = NULL, totp_pending = NULL, totp_enabled_at = NULL
       WHERE id = $1 AND totp_enabled_at IS NOT NULL AND NOT (is_operator AND $2::boolean)
         AND NOT EXISTS (
           SELECT FROM memberships b JOIN merchants m ON m.id = b.merchant_id
           WHERE b.user_id = $1 AND m.require_totp)`,
      [userId, settings().operatorsNeedSecondFactor],
    );
    if (rowCount !== 1) throw new GatewayError('second_factor_stays');
    await db.query('DELETE FROM recovery_codes WHERE user_id = $1', [userId]);
    // Sessions that owe a code would open without one: people that it kept out would be back in.
    await db.query('DELETE FROM sessions WHERE user_id = $1 AND second_factor_at IS NULL', [
      userId,
    ]);
    await recordPersonalAudit(db, userId, { actor, now, action: 'second_factor.turn_off' });
  });
}

/**
 * Makes ten new recovery codes; the old ones end.
 *
 * @throws GatewayError as `demandProof`; `conflict` without a second factor
 */
export async function renewRecoveryCodes(
  pool: pg.Pool,
  own: Own,
  proof: string,
): Promise<{ recoveryCodes: string[] }> {
  const { session, actor, now } = own;
  const userId = session.user.id;
  const hashBefore = await demandProof(pool, own, proof);
  return await inTransaction(pool, async (db) => {
    await lockAsProved(db, session, hashBefore);
    const { rowCount } = await db.query(
      'SELECT FROM users WHERE id = $1 AND totp_enabled_at IS NOT NULL',
      [userId],
    );
    if (rowCount !== 1) throw new GatewayError('second_factor_off');
    const recoveryCodes = await replaceRecoveryCodes(db, userId);
    await recordPersonalAudit(db, userId, { actor, now, action: 'recovery_codes.renew' });
    return { recoveryCodes };
  });
}

/**
 * Changes one's own password; all other sessions end.
 *
 * @returns the changed account, for its browser's mark
 * @throws GatewayError as `demandProof`; `validation` for an unacceptable password
 */
export async function changeOwnPassword(
  pool: pg.Pool,
  own: Own,
  { proof, password }: { proof: string; password: string },
): Promise<MarkedAccount> {
  const { session, actor, now } = own;
  // Checked before the proof, which may be a single-use code.
  checkNewPassword(password, session.user.email);
  const hashBefore = await demandProof(pool, own, proof);
  const address = actor.address ?? null;
  return await changePassword(pool, session, { password, hashBefore, address, now });
}
