import type { Queryable } from '../db/pool.ts';
import { settings } from '../env.ts';
import { SEAL_CONTEXTS, seal, unseal } from '../lib/seal.ts';
import { takeRecoveryCode } from './recovery-codes.ts';
import { countTry, forgetTries, type Limit } from './throttle.ts';
import { stepOfCode } from './totp.ts';

const QUARTER_OF_AN_HOUR_MS = 15 * 60 * 1000;
const DAY_MS = 24 * 60 * 60 * 1000;
// Of a million codes three count at a time: 30 guesses a day hit once in thirty years.
export const CODE_LIMIT: Limit = { max: 10, windowMs: QUARTER_OF_AN_HOUR_MS };
export const CODE_DAY_LIMIT: Limit = { max: 30, windowMs: DAY_MS };

/** Seals a person's secret for the database. */
export function sealTotpSecret(userId: string, secret: string): Buffer {
  return seal(settings().secretsKey, secret, SEAL_CONTEXTS.totp(userId));
}

/** Opens what `sealTotpSecret` made. */
export function unsealTotpSecret(userId: string, sealed: Buffer): string {
  return unseal(settings().openingKeys, sealed, SEAL_CONTEXTS.totp(userId));
}

const throttleKeys = (userId: string): [string, Limit][] => [
  [`second factor ${userId}`, CODE_LIMIT],
  [`second factor, day ${userId}`, CODE_DAY_LIMIT],
];

/** Counts a try of a code or a password of somebody known; false when it is one too many. */
export async function countProof(db: Queryable, userId: string, now: Date): Promise<boolean> {
  let isAllowed = true;
  for (const [key, limit] of throttleKeys(userId)) {
    isAllowed = (await countTry(db, key, limit, now)) && isAllowed;
  }
  return isAllowed;
}

/** Forgets the tries after one that was right. */
export async function forgetProofs(db: Queryable, userId: string): Promise<void> {
  for (const [key] of throttleKeys(userId)) await forgetTries(db, key);
}

/** How somebody proved that they hold their second factor. */
export type CodeKind = 'app' | 'recovery_code';

/**
 * Takes a code of the app's or a recovery code, each once: a code that was taken is refused
 * within its time as well (RFC 6238, 5.2), by a guarded update.
 *
 * @returns null when it is not right
 */
export async function takeCode(
  db: Queryable,
  { userId, code, now }: { userId: string; code: string; now: Date },
): Promise<CodeKind | null> {
  const plain = code.replace(/[\s-]/g, '').toLowerCase();
  if (!/^\d{6}$/.test(plain)) {
    return (await takeRecoveryCode(db, { userId, code: plain, now })) ? 'recovery_code' : null;
  }
  const { rows } = await db.query<{ totp_secret: Buffer | null }>(
    'SELECT totp_secret FROM users WHERE id = $1',
    [userId],
  );
  const sealed = rows[0]?.totp_secret;
  if (!sealed) return null;
  const step = stepOfCode(unsealTotpSecret(userId, sealed), plain, now);
  if (step === null) return null;
  const { rowCount } = await db.query(
    `UPDATE users SET totp_last_step = $2
     WHERE id = $1 AND totp_secret = $3 AND (totp_last_step IS NULL OR totp_last_step < $2)`,
    [userId, step, sealed],
  );
  return rowCount === 1 ? 'app' : null;
}
