import { SettingError } from '../lib/errors.ts';

/** How e-mails are sent: SMTP_URL and MAIL_FROM. */
export type MailSettings = {
  /** `smtp://user:password@host:587` or `smtps://…:465`; null writes e-mails to files. */
  smtpUrl: string | null;
  /** `Name <address>` or an address alone. */
  from: string;
};

/**
 * Reads the settings of e-mails.
 *
 * @param publicUrl supplies the default for the sender's domain
 * @throws SettingError that names the variable and what it must be
 */
export function parseMailSettings(
  smtpUrl: string | undefined,
  from: string | undefined,
  publicUrl: string,
): MailSettings {
  // The value itself stays out of the message: it holds a password.
  if (smtpUrl !== undefined && (!/^smtps?:\/\//.test(smtpUrl) || !URL.canParse(smtpUrl))) {
    throw new SettingError('The setting SMTP_URL must be an smtp:// or smtps:// URL.');
  }
  const preset = `Payment gateway <no-reply@${new URL(publicUrl).hostname}>`;
  const sender = from ?? preset;
  if (!/^([^<>\r\n]*<[^<>@\s]+@[^<>@\s]+>|[^<>@\s]+@[^<>@\s]+)$/.test(sender)) {
    throw new SettingError(`The setting MAIL_FROM must be "Name <address>", but is "${sender}".`);
  }
  return { smtpUrl: smtpUrl ?? null, from: sender };
}
