import { expect, it } from 'vitest';
import { linkToText } from './first-password.ts';

it('says what to do where the e-mail with the link could not be sent', () => {
  const link = { url: null, isSent: false, expiresAtMs: Date.UTC(2026, 10, 28) };
  expect(linkToText(link, 'operator add --email kim@example.com')).toBe(
    [
      'The e-mail with a link to set a password could not be sent, and without the link they cannot sign in.',
      'Once the mail server of SMTP_URL takes e-mails, send another:',
      '  npm run gateway -- operator add --email kim@example.com',
      'Or have the link shown, to hand it over yourself, by the same command with SMTP_URL set to nothing:',
      '  SMTP_URL= npm run gateway -- operator add --email kim@example.com',
    ].join('\n'),
  );
});
