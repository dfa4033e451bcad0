import { hash } from 'node:crypto';
import { randomText } from './random-text.ts';

// 43 characters of base 62 hold 256 bits: the hash needs neither salt nor slowness.
const LENGTH = 43;

/** SHA-256 of a token or of a recovery code: 32 bytes, what the database holds of it. */
export function hashToken(token: string): Buffer {
  return hash('sha256', token, 'buffer');
}

/** The same in base64: for what is asked at every request, since a buffer costs as much again. */
export function hashTokenText(token: string): string {
  return hash('sha256', token, 'base64');
}

/** A new token for a link in an e-mail; the database gets its hash only. */
export function newLinkToken(): { token: string; hash: Buffer } {
  const token = randomText(LENGTH);
  return { token, hash: hashToken(token) };
}
