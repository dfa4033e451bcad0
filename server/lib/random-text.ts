import { randomBytes } from 'node:crypto';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/**
 * `length` characters out of 0-9, A-Z, a-z, each equally likely (5.95 bits; 43 of them hold 256).
 * Bytes that would skew this are drawn again.
 */
export function randomText(length: number): string {
  const even = 256 - (256 % BASE62.length);
  let text = '';
  while (text.length < length) {
    for (const byte of randomBytes(length)) {
      if (byte < even && text.length < length) text += BASE62.charAt(byte % BASE62.length);
    }
  }
  return text;
}

// Crockford's base 32 has no I, L, O, U that a person could misread.
const READABLE = '0123456789abcdefghjkmnpqrstvwxyz';

/** `length` characters that a person can type from paper, 5 random bits each. */
export function readableText(length: number): string {
  let text = '';
  for (const byte of randomBytes(length)) text += READABLE.charAt(byte & 31);
  return text;
}
