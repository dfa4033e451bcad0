import { hash, verify } from '@node-rs/argon2';
import { randomText } from './random-text.ts';

// OWASP Password Storage Cheat Sheet: Argon2id (the library's default variant),
// 19 MiB, two passes, one lane.
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

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
