import { hash, verify } from '@node-rs/argon2';
import { randomText } from '../lib/random-text.ts';
import { foldPassword } from '../lib/typed-text.ts';

// OWASP Password Storage Cheat Sheet: Argon2id (the library's default variant),
// 19 MiB, two passes, one lane.
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** The PHC string (`$argon2id$…`, salt included) for storage. */
export async function hashPassword(password: string): Promise<string> {
  return await hash(foldPassword(password), COST);
}

let nobody: Promise<string> | undefined;

/**
 * Checks a password against a stored hash.
 *
 * @param stored null for an unknown address or an account without a password:
 *   `wrong`, after the same work, so that the time reveals nothing
 * @returns `outdated`: correct, but the hash was made of the text as typed, without folding; it is
 * to
 *   be hashed anew
 */
export async function verifyPassword(
  stored: string | null,
  password: string,
): Promise<'right' | 'outdated' | 'wrong'> {
  nobody ??= hashPassword(randomText(20));
  const known = stored ?? (await nobody);
  const folded = foldPassword(password);
  const isRight = await verify(known, folded);
  const isOutdated = !isRight && folded !== password && (await verify(known, password));
  if (stored === null || !(isRight || isOutdated)) return 'wrong';
  return isRight ? 'right' : 'outdated';
}
