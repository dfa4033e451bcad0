import { withTimeout } from '../lib/timeout.ts';
import type { PasswordLink } from '../merchants/types.ts';
import { firstPasswordEmail } from './email-templates.ts';
import { type MailRoute, mailRoute, sendEmail } from './send.ts';

// Of what waits for it some is shown this once only.
const EMAIL_LIMIT_MS = 5_000;

/** How a link for a first password gets to its person. */
export type HandedOver = {
  /** For whoever made the account to hand over, this once; null where an e-mail carries it. */
  url: string | null;
  /** Whether an e-mail left, as far as is known: one that takes long may yet. */
  isSent: boolean;
  expiresAtMs: number;
};

/**
 * Sends a new person the link by which they set a password, after the commit. Where no e-mail can
 * carry it, because no SMTP server is set or nobody has said where the gateway is, it is for
 * whoever made the account to hand over.
 *
 * @param to.merchantName of the merchant that they own; null for an operator
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
