import { Secret, TOTP } from 'otpauth';

// RFC 6238 as every authenticator app supports it: SHA-1, six digits, 30 seconds.
const FORM = { algorithm: 'SHA1', digits: 6, period: 30 };
const SECRET_BYTES = 20;
/** The previous and the next step's codes count too, for inexact phone clocks and slow typists. */
const WINDOW_STEPS = 1;
const ISSUER = 'Payment gateway';

/** A new secret in base 32, the form for apps: 160 bits, as RFC 4226 recommends. */
export function newTotpSecret(): string {
  return new Secret({ size: SECRET_BYTES }).base32;
}

/** The `otpauth://` address that an app reads from a QR code. */
export function totpAddress(secret: string, email: string): string {
  return new TOTP({ ...FORM, issuer: ISSUER, label: email, secret }).toString();
}

/**
 * The time step that a code belongs to.
 *
 * @param code folded (`foldCode`)
 * @returns null when it belongs to none of the valid steps
 */
export function stepOfCode(secret: string, code: string, now: Date): number | null {
  const timestamp = now.getTime();
  const totp = new TOTP({ ...FORM, secret });
  const delta = totp.validate({ token: code, timestamp, window: WINDOW_STEPS });
  return delta === null ? null : totp.counter({ timestamp }) + delta;
}
