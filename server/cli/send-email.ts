import type { EmailMessage } from '../mail/email-templates.ts';
import { closeMail, mailRoute, sendEmail } from '../mail/send.ts';

/**
 * Sends a letter before the command ends.
 *
 * @returns whether it left
 */
export async function sendFromCommand(email: string, letter: EmailMessage): Promise<boolean> {
  try {
    // stdout holds the result alone.
    const say = (line: string) => process.stderr.write(`${line}\n`);
    await sendEmail(email, letter, { ...mailRoute(), say });
    return true;
  } catch {
    // The log has the reason.
    return false;
  } finally {
    closeMail();
  }
}
