import type pg from 'pg';
import type { Queryable } from '../../db/pool.ts';
import { GatewayError } from '../../lib/errors.ts';
import type { AuditActor } from '../../merchants/audit.ts';
import { tellRefusal } from '../../observability/refusals.ts';
import { proveByPassword } from '../passwords.ts';
import type { StaffSession } from '../sessions.ts';
import {
  countProof,
  countProved,
  forgetProofs,
  hasProvedEnough,
  kindOfProof,
  takeCode,
} from './take-code.ts';

const FRESH_MS = 10 * 60_000;

/** A person who changes their own sign-in. */
export type Own = { session: StaffSession; actor: AuditActor; requestId?: string; now: Date };

/** Reports that a signed-in person failed to prove their identity. */
function tellOfProof({ session, actor, requestId }: Own, outcome: 'refused' | 'throttled'): void {
  const account = session.user.email;
  tellRefusal({ what: 'proof', outcome, account, address: actor.address ?? null, requestId });
}

/** The error for a wrong proof. */
export function wrongProof(
  own: Own,
  code: 'proof_wrong' | 'code_wrong' = 'proof_wrong',
): GatewayError {
  tellOfProof(own, 'refused');
  return new GatewayError(code);
}

/**
 * Counts an attempt to prove one's identity.
 *
 * @throws GatewayError `rate_limited` after too many attempts
 */
export async function demandTry(
  pool: pg.Pool,
  own: Own,
  kind: Parameters<typeof countProof>[1]['kind'],
): Promise<void> {
  const tries = await countProof(pool, { userId: own.session.user.id, kind, now: own.now });
  if (tries === 'allowed' || tries === 'last') return;
  tellOfProof(own, 'throttled');
  // Proofs other than codes are counted separately.
  const isCode = kind === 'second factor';
  if (tries === 'throttled') {
    throw new GatewayError(isCode ? 'codes_throttled' : 'proofs_throttled');
  }
  throw new GatewayError(isCode ? 'codes_spent' : 'proofs_spent');
}

/**
 * Checks again that this is the account's person, and not somebody at their unattended browser.
 *
 * @param proof their password, a code of the app's or a recovery code
 * @returns the password's hash at that moment, or null without one
 * @throws GatewayError `validation` when it is wrong, `rate_limited` after too many attempts, even
 *   successful ones
 */
export async function demandProof(pool: pg.Pool, own: Own, proof: string): Promise<string | null> {
  const { session, now } = own;
  const userId = session.user.id;
  // Checked before the proof, which may be a single-use code.
  if (await hasProvedEnough(pool, { userId, now })) {
    throw new GatewayError('proofs_throttled');
  }
  await demandTry(pool, own, kindOfProof(proof));
  const { rows } = await pool.query<{ password_hash: string | null }>(
    'SELECT password_hash FROM users WHERE id = $1',
    [userId],
  );
  const account = { id: userId, password_hash: rows[0]?.password_hash ?? null };
  const isCode = (await takeCode(pool, { userId, code: proof, now })) !== null;
  const proved = isCode ? account : await proveByPassword(pool, account, proof);
  if (!proved) throw wrongProof(own);
  if (!(await countProved(pool, { userId, now }))) {
    throw new GatewayError('proofs_throttled');
  }
  await forgetProofs(pool, userId);
  return proved.password_hash;
}

/**
 * The same for an account without any proof, because its person only signs in by a provider: a
 * recent sign-in is enough.
 *
 * @throws GatewayError `forbidden` when the sign-in is too long ago
 */
export async function demandFreshSignIn(db: Queryable, { session, now }: Own): Promise<void> {
  const since = new Date(now.getTime() - FRESH_MS).toISOString();
  const { rowCount } = await db.query(
    'SELECT FROM sessions WHERE id = $1 AND created_at > $2::timestamptz',
    [session.id, since],
  );
  if (rowCount !== 1) throw new GatewayError('sign_in_too_old');
}

/**
 * Locks the account before its links and sessions, in the same order as a password change or
 * disabling: otherwise they deadlock.
 *
 * @returns false when it was disabled meanwhile
 */
export async function lockAccount(db: Queryable, userId: string): Promise<boolean> {
  const { rowCount } = await db.query(
    'SELECT FROM users WHERE id = $1 AND disabled_at IS NULL FOR NO KEY UPDATE',
    [userId],
  );
  return rowCount === 1;
}

/**
 * Locks the account, and checks that nothing has changed since its person proved their identity: a
 * reset may have come first.
 *
 * @param hashBefore the password's hash at that moment, or null without one
 * @throws GatewayError `validation` when the password has changed or the session has ended since
 */
export async function lockAsProved(
  db: Queryable,
  { user, id: sessionId }: StaffSession,
  hashBefore: string | null,
): Promise<void> {
  const isOpen = await lockAccount(db, user.id);
  const { rowCount } = await db.query(
    `SELECT FROM users u JOIN sessions s ON s.user_id = u.id
     WHERE u.id = $1 AND u.password_hash IS NOT DISTINCT FROM $2 AND s.id = $3`,
    [user.id, hashBefore, sessionId],
  );
  if (!isOpen || rowCount !== 1) throw new GatewayError('proof_wrong');
}
