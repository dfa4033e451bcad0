import type pg from 'pg';
import { type EmailLocale, passwordEmail } from '../mail/email-templates.ts';
import { type SendingLater, sendEmailLater } from '../mail/send.ts';
import { settings } from '../settings/settings.ts';
import { requestReset } from './password-reset.ts';

/**
 * Sends a letter with a link for a new password, if there is such an account: the answer and
 * its time say nothing of that. Nor does what came of the letter change a later answer: a try that
 * is given back would show that there was one.
 *
 * @param sending where it goes, and how often it is tried
 */
export async function askForReset(
  pool: pg.Pool,
  wish: { email: string; addressKey: string; locale: EmailLocale; now: Date },
  sending: SendingLater = {},
): Promise<'accepted' | 'throttled'> {
  const result = await requestReset(pool, wish);
  if (result.outcome === 'throttled') return 'throttled';
  if (result.letter) {
    const { token, expiresAt, email } = result.letter;
    const url = `${settings().publicUrl}/dashboard/new-password/${token}`;
    sendEmailLater(email, passwordEmail(wish.locale, { url, expiresAt }), sending);
  }
  return 'accepted';
}
