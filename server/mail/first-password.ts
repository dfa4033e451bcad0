import { withTimeout } from '../lib/timeout.ts';
import type { PasswordLink } from '../merchants/types.ts';
import { firstPasswordEmail } from './email-templates.ts';
import { type MailRoute, mailRoute, sendEmail } from './send.ts';

// Some of the waiting output is shown only this once.
const EMAIL_LIMIT_MS = 5_000;

/** How a person gets their link for a first password. */
export type HandedOver = {
  /** For the account's creator to hand over, this once; null where an e-mail carries it. */
  url: string | null;
  /** Whether an e-mail was sent, as far as is known: a slow one may still be. */
  isSent: boolean;
  expiresAtMs: number;
};

/**
 * Sends a new person the link for setting a password, after the commit. If no e-mail can carry it,
 * because there is no SMTP server or no known public URL, the account's creator has to hand it
 * over.
 *
 * @param to.merchantName the merchant that they own; null for an operator
 * @param to.publicUrl null where it is not known: `url` begins with the path then
 */
export async function handOver(
  { email, token, expiresAt }: PasswordLink,
  to: { merchantName: string | null; publicUrl: string | null },
  route: MailRoute = mailRoute(),
): Promise<HandedOver> {
  const { merchantName, publicUrl } = to;
  const url = `${publicUrl ?? ''}/dashboard/new-password/${token}`;
  const expiresAtMs = expiresAt.getTime();
  if (route.smtpUrl === null || publicUrl === null) return { url, isSent: false, expiresAtMs };
  const message = firstPasswordEmail({ merchantName, url, expiresAt });
  const isSent = await withTimeout(EMAIL_LIMIT_MS, sendEmail(email, message, route)).then(
    () => true,
    () => false,
  );
  return { url: null, isSent, expiresAtMs };
}
