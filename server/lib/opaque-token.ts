import { hash } from 'node:crypto';
import { randomText } from './random-text.ts';

// 43 characters of base 62 hold 256 bits: the hash needs neither salt nor slowness.
const LENGTH = 43;

/** SHA-256 of a token or a recovery code, 32 bytes: the database holds nothing else of it. */
export function hashToken(token: string): Buffer {
  return hash('sha256', token, 'buffer');
}

/** The same in base64, for look-ups at every request: a buffer costs twice as much. */
export function hashTokenText(token: string): string {
  return hash('sha256', token, 'base64');
}

/** A new token for a link in an e-mail; the database stores only its hash. */
export function newLinkToken(): { token: string; hash: Buffer } {
  const token = randomText(LENGTH);
  return { token, hash: hashToken(token) };
}
