import { changeEmail, type SignInChange } from '../mail/email-templates.ts';
import { type SendingLater, sendEmailLater } from '../mail/send.ts';
import { settings } from '../settings/settings.ts';

/** Whose sign-in has changed, when, and from which network address. */
type Changed = { email: string; address: string | null; now: Date };

/**
 * Tells a person by e-mail that their sign-in has changed: after the commit, and because somebody
 * else may have done it (OWASP ASVS 4.0, 2.2.3).
 *
 * @param sending the route, and how often it is tried
 */
export function tellOfChange(
  { email, address, now }: Changed,
  what: SignInChange,
  sending: SendingLater = {},
): void {
  const url = `${settings().publicUrl}/dashboard/forgot-password`;
  sendEmailLater(email, changeEmail({ what, at: now, address, url }), sending);
}
