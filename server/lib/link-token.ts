import { randomText } from './random-text.ts';
import { hashToken } from './token-hash.ts';

// 43 characters of base 62 hold 256 bits: the hash needs neither salt nor slowness.
const LENGTH = 43;

/** A new token for a link in a letter; the database gets its hash only. */
export function newLinkToken(): { token: string; hash: Buffer } {
  const token = randomText(LENGTH);
  return { token, hash: hashToken(token) };
}
