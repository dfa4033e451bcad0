import { expect, it } from 'vitest';
import { newTotpSecret, stepOfCode, totpAddress } from './totp.ts';

// RFC 6238, appendix B: the secret "12345678901234567890", SHA-1, the last six of eight digits.
const SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';
const VECTORS: [number, string][] = [
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_234_567_890, '005924'],
  [2_000_000_000, '279037'],
];

it.each(VECTORS)('the code of RFC 6238 at %i s is of its step', (seconds, code) => {
  const step = Math.floor(seconds / 30);
  expect(stepOfCode(SECRET, code, new Date(seconds * 1000))).toBe(step);
  expect(stepOfCode(SECRET, code, new Date((seconds + 30) * 1000))).toBe(step);
  expect(stepOfCode(SECRET, code, new Date((seconds - 30) * 1000))).toBe(step);
  // Three codes are valid at a time, no more: the limits of guessing are calculated from that.
  expect(stepOfCode(SECRET, code, new Date((seconds + 60) * 1000))).toBeNull();
  expect(stepOfCode(SECRET, code, new Date((seconds - 60) * 1000))).toBeNull();
});

it('what is no code at all is of no step', () => {
  for (const code of ['', '28708', '2870822', 'abcdef']) {
    expect(stepOfCode(SECRET, code, new Date(59_000))).toBeNull();
  }
});

it('a new secret has 160 bits, and an app finds it in the address', () => {
  const secret = newTotpSecret();
  expect(secret).toMatch(/^[A-Z2-7]{32}$/);
  const address = new URL(totpAddress(secret, 'a+b@example.com'));
  expect(address.protocol).toBe('otpauth:');
  expect(address.searchParams.get('secret')).toBe(secret);
  expect(decodeURIComponent(address.pathname)).toContain('a+b@example.com');
});
