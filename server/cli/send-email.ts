import type { Letter } from '../mail/email-templates.ts';
import { closeMail, mailRoute, sendLetter } from '../mail/send.ts';

/**
 * Sends a letter before the command ends.
 *
 * @returns whether it left
 */
export async function sendFromCommand(email: string, letter: Letter): Promise<boolean> {
  try {
    // stdout holds the result alone.
    const say = (line: string) => process.stderr.write(`${line}\n`);
    await sendLetter(email, letter, { ...mailRoute(), say });
    return true;
  } catch {
    // The log has the reason.
    return false;
  } finally {
    closeMail();
  }
}
