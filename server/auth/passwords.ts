import { hash, verify } from '@node-rs/argon2';
import { GatewayError } from '../lib/errors.ts';
import { randomText } from '../lib/random-text.ts';
import { isCommonPassword } from './common-passwords.ts';

// OWASP Password Storage Cheat Sheet: Argon2id (the library's default variant),
// 19 MiB, two passes, one lane.
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

// NIST SP 800-63B asks for 8 at least, and for no rules on which characters.
const MIN_LENGTH = 12;
/** In UTF-16 units: more than any password that a person or a manager makes. */
export const MAX_PASSWORD_LENGTH = 1024;
const TOO_EASY =
  'This password is too easy to guess: it is made of common words, rows like 1234, repeats or your own address.';

/** Why a password that a person chose will not do, or null: too short, too long, or easily guessed. */
export function weaknessOf(password: string, email: string): string | null {
  if ([...password].length < MIN_LENGTH || password.length > MAX_PASSWORD_LENGTH) {
    return `A password has ${MIN_LENGTH} to ${MAX_PASSWORD_LENGTH} characters.`;
  }
  return isCommonPassword(password, email) ? TOO_EASY : null;
}

/** @throws GatewayError `validation` for a password that will not do */
export function checkNewPassword(password: string, email: string): void {
  const weakness = weaknessOf(password, email);
  if (weakness) throw new GatewayError('validation', weakness);
}

/** The PHC string (`$argon2id$…`, its own salt in it) to be stored. */
export async function hashPassword(password: string): Promise<string> {
  return await hash(password, COST);
}

let nobody: Promise<string> | undefined;

/**
 * Whether a password is the one behind a stored hash.
 *
 * @param stored null for an unknown address or an account without a password:
 *   false, after the same work, so that the time tells nobody which
 */
export async function verifyPassword(stored: string | null, password: string): Promise<boolean> {
  nobody ??= hashPassword(randomText(20));
  const matches = await verify(stored ?? (await nobody), password);
  return matches && stored !== null;
}
