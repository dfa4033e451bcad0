import { randomBytes } from 'node:crypto';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/**
 * `length` characters out of 0-9, A-Z, a-z, each equally likely (5.95 bits; 43
 * of them hold 256). Bytes that would make some likelier are drawn again.
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
