import { TOTP } from 'otpauth';
import type pg from 'pg';
import { beginSecondFactor, confirmSecondFactor } from '../auth/second-factor/second-factor.ts';
import type { StaffSession } from '../auth/sessions.ts';

type Own = Parameters<typeof confirmSecondFactor>[1];

/** The app's code at that time. */
export const codeAt = (secret: string, now: Date): string =>
  new TOTP({ secret }).generate({ timestamp: now.getTime() });

/**
 * Turns on the second factor of a person with a password; the code of that moment is used up.
 *
 * @returns `own`: the context for changes to their own account
 */
export async function turnOnSecondFactor(
  pool: pg.Pool,
  { session, password, now }: { session: StaffSession; password: string; now: Date },
): Promise<{ own: Own; secret: string; recoveryCodes: string[] }> {
  const { id, email } = session.user;
  const own: Own = { session, actor: { type: 'staff', id, label: email }, now };
  const { secret } = await beginSecondFactor(pool, own, password);
  return { own, secret, ...(await confirmSecondFactor(pool, own, codeAt(secret, now))) };
}
