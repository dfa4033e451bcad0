import { type HandedOver, handOver } from '../mail/first-password.ts';
import { closeMail } from '../mail/send.ts';
import type { PasswordLink } from '../merchants/types.ts';
import type { CommandContext } from './context.ts';
import { instant } from './table.ts';

/** As `handOver`, finished before the command ends; null where there is no link. */
export async function handOverFromCommand(
  { publicUrl }: CommandContext,
  link: PasswordLink | null,
  merchantName: string | null,
): Promise<HandedOver | null> {
  try {
    return link && (await handOver(link, { merchantName, publicUrl }));
  } finally {
    closeMail();
  }
}

/** `password_link` of a command's JSON. */
export function linkToJson(link: HandedOver | null) {
  return link && { url: link.url, sent: link.isSent, expires_at: link.expiresAtMs };
}

/**
 * The text about a link for a person.
 *
 * @param again the command that makes another one
 */
export function linkToText({ url, isSent, expiresAtMs }: HandedOver, again: string): string {
  const until = `It works once, until ${instant(expiresAtMs)}.`;
  if (isSent) return `An e-mail with a link to set a password has been sent. ${until}`;
  const command = `npm run gateway -- ${again}`;
  if (url === null) {
    return [
      'The e-mail with a link to set a password could not be sent, and without the link they cannot sign in.',
      'Once the mail server of SMTP_URL takes e-mails, send another:',
      `  ${command}`,
      'Or have the link shown, to hand it over yourself, by the same command with SMTP_URL set to nothing:',
      `  SMTP_URL= ${command}`,
    ].join('\n');
  }
  const place = url.startsWith('/') ? ' (at PUBLIC_URL, which is not set here)' : '';
  return [
    `Link to set a password, shown this once only${place}:`,
    `  ${url}`,
    `${until} Whoever has it can open the account: send it over a secure channel.`,
    `Another one: ${command}`,
  ].join('\n');
}
