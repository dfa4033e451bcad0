import type { Queryable } from '../../db/pool.ts';
import { SEAL_CONTEXTS, seal, unseal } from '../../lib/encrypt.ts';
import { foldCode } from '../../lib/typed-text.ts';
import { settings } from '../../settings/settings.ts';
import { countTry, forgetTries, isUsedUp, type Limit, numberOfTry } from '../throttle.ts';
import { takeRecoveryCode } from './recovery-codes.ts';
import { stepOfCode } from './totp.ts';

const QUARTER_OF_AN_HOUR_MS = 15 * 60 * 1000;
const DAY_MS = 24 * 60 * 60 * 1000;
// Three codes of a million are valid at a time: 30 guesses a day hit once in thirty years.
export const CODE_LIMIT: Limit = { max: 10, windowMs: QUARTER_OF_AN_HOUR_MS };
export const CODE_DAY_LIMIT: Limit = { max: 30, windowMs: DAY_MS };

/** Seals a person's secret for the database. */
export function sealTotpSecret(userId: string, secret: string): Buffer {
  return seal(settings().secretsKey, secret, SEAL_CONTEXTS.totp(userId));
}

function unsealTotpSecret(userId: string, sealed: Buffer): string {
  return unseal(settings().openingKeys, sealed, SEAL_CONTEXTS.totp(userId));
}

/**
 * Seals a secret that waits for its first code, with the current time: the person's proof of
 * identity counts only for a while.
 */
export function sealPendingTotp(
  userId: string,
  { secret, now }: { secret: string; now: Date },
): Buffer {
  return sealTotpSecret(userId, `${now.getTime()} ${secret}`);
}

/** Opens what `sealPendingTotp` made. @returns null after a quarter of an hour */
export function unsealPendingTotp(userId: string, sealed: Buffer, now: Date): string | null {
  const [sinceMs, secret = null] = unsealTotpSecret(userId, sealed).split(' ');
  // A clock that was set back makes no secret wait longer.
  const ageMs = Math.abs(now.getTime() - Number(sinceMs));
  return ageMs < QUARTER_OF_AN_HOUR_MS ? secret : null;
}

const isAppCode = (plain: string): boolean => /^\d{6}$/.test(plain);

// Counted separately, so that tries of one kind use up none of another.
const KINDS = ['second factor', 'first code', 'proof'] as const;

/** The kind of a try: the app's code, a new app's first one, any other proof of identity. */
type Kind = (typeof KINDS)[number];

/** `last` is allowed, the next one not; `throttled` lasts a quarter of an hour, `spent` a day. */
type Tries = 'allowed' | 'last' | 'throttled' | 'spent';

const throttleKeys = (userId: string, kind: Kind) => ({
  quarter: `${kind} ${userId}`,
  day: `${kind}, day ${userId}`,
});

/** Counts a known person's try before it is checked; a refused try does not count for the day. */
export async function countProof(
  db: Queryable,
  { userId, kind, now }: { userId: string; kind: Kind; now: Date },
): Promise<Tries> {
  const { quarter, day } = throttleKeys(userId, kind);
  if (await isUsedUp(db, day, CODE_DAY_LIMIT, now)) return 'spent';
  const ofQuarter = await numberOfTry(db, quarter, CODE_LIMIT, now);
  if (ofQuarter > CODE_LIMIT.max) return 'throttled';
  const ofDay = await numberOfTry(db, day, CODE_DAY_LIMIT, now);
  if (ofDay > CODE_DAY_LIMIT.max) return 'spent';
  return ofQuarter === CODE_LIMIT.max || ofDay === CODE_DAY_LIMIT.max ? 'last' : 'allowed';
}

// More than anybody changes their own account in that time. A right proof clears earlier tries, and
// each may cause an entry in the audit log, which is kept, and an e-mail.
const PROVED_LIMIT: Limit = { max: 20, windowMs: QUARTER_OF_AN_HOUR_MS };
const provedKey = (userId: string): string => `proved ${userId}`;

/** Whether a person has proved their identity too often recently; this counts nothing. */
export async function hasProvedEnough(
  db: Queryable,
  { userId, now }: { userId: string; now: Date },
): Promise<boolean> {
  return await isUsedUp(db, provedKey(userId), PROVED_LIMIT, now);
}

/** Counts a right proof. @returns false when concurrent ones exceed the limit */
export async function countProved(
  db: Queryable,
  { userId, now }: { userId: string; now: Date },
): Promise<boolean> {
  return await countTry(db, provedKey(userId), PROVED_LIMIT, now);
}

/** The kind of a signed-in person's proof. */
export function kindOfProof(proof: string): Kind {
  return isAppCode(foldCode(proof)) ? 'second factor' : 'proof';
}

/**
 * Counts a code of the second step. Recovery codes are not counted: nobody guesses 80 bits (NIST SP
 * 800-63B, 5.1.2.2), and a count would let anybody with the password lock its person out.
 */
export async function countCode(
  db: Queryable,
  { userId, code, now }: { userId: string; code: string; now: Date },
): Promise<Tries> {
  if (!isAppCode(foldCode(code))) return 'allowed';
  return await countProof(db, { userId, kind: 'second factor', now });
}

/** Forgets earlier tries after a right one. */
export async function forgetProofs(db: Queryable, userId: string): Promise<void> {
  for (const kind of KINDS) {
    const { quarter, day } = throttleKeys(userId, kind);
    await forgetTries(db, quarter);
    await forgetTries(db, day);
  }
}

/** How somebody proved possession of their second factor. */
export type CodeKind = 'app' | 'recovery_code';

/** A code's kind, whether it is right or wrong. */
export const kindOfCode = (code: string): CodeKind =>
  isAppCode(foldCode(code)) ? 'app' : 'recovery_code';

/**
 * Accepts a code of the app's or a recovery code, each once: a used code is refused even within its
 * time (RFC 6238, 5.2), by a guarded update.
 *
 * @returns null when it is wrong
 */
export async function takeCode(
  db: Queryable,
  { userId, code, now }: { userId: string; code: string; now: Date },
): Promise<CodeKind | null> {
  const plain = foldCode(code);
  if (!isAppCode(plain)) {
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
