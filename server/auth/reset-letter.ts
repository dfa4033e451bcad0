import type pg from 'pg';
import { settings } from '../env.ts';
import { log } from '../log.ts';
import { type LetterLocale, passwordLetter } from '../mail/letters.ts';
import { type SendingLater, sendLetterLater } from '../mail/send.ts';
import { forgetAskedLetters, requestReset } from './password-reset.ts';

/**
 * Sends a letter with a link for a new password, if there is such an account: the answer and
 * its time say nothing of that.
 *
 * @param sending where it goes, and how often it is tried
 */
export async function askForReset(
  pool: pg.Pool,
  wish: { email: string; addressKey: string; locale: LetterLocale; now: Date },
  sending: Omit<SendingLater, 'onServerAway'> = {},
): Promise<'accepted' | 'throttled'> {
  const result = await requestReset(pool, wish);
  if (result.outcome === 'throttled') return 'throttled';
  if (result.letter) {
    const { token, expiresAt, email } = result.letter;
    const url = `${settings().publicUrl}/dashboard/new-password/${token}`;
    const onServerAway = () =>
      forgetAskedLetters(pool).catch((error: unknown) => {
        log().error({ err: error }, 'asked letters could not be forgotten');
      });
    const letter = passwordLetter(wish.locale, { url, expiresAt });
    sendLetterLater(email, letter, { ...sending, onServerAway });
  }
  return 'accepted';
}
