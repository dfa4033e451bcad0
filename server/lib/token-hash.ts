import { hash } from 'node:crypto';

/** SHA-256 of a token or of a recovery code: 32 bytes, what the database holds of it. */
export function hashToken(token: string): Buffer {
  return hash('sha256', token, 'buffer');
}

/** The same in base64: for what is asked at every request, since a buffer costs as much again. */
export function hashTokenText(token: string): string {
  return hash('sha256', token, 'base64');
}
