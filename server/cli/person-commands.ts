import { Command } from 'commander';
import { CommandError } from '../lib/errors.ts';
import { changeEmail, type EmailMessage } from '../mail/email-templates.ts';
import { closeMail, mailRoute, sendEmail } from '../mail/send.ts';
import { accountEmail } from '../staff/email-address.ts';
import { clearSecondFactor } from '../staff/lost-factor.ts';
import { setPersonStatus } from '../staff/person-status.ts';
import type { CommandIo } from './context.ts';

type Email = { email: string };

/** A command about one person, given by address. */
function aboutPerson(name: string, description: string): Command {
  return new Command(name)
    .description(description)
    .requiredOption('--email <address>', 'their e-mail address');
}

function factorCommand(io: CommandIo): Command {
  return aboutPerson(
    'second-factor-off',
    'for somebody who has lost the app and the recovery codes; ends their sessions',
  ).action(({ email }: Email) =>
    io.withDatabase(async ({ pool, actor, now, publicUrl }) => {
      if ((await clearSecondFactor(pool, { email, actor, now })) === 'not_found') {
        throw new CommandError(`${email} has no second factor here.`);
      }
      io.print(`${email} signs in with the password alone from now on.`);
      const url = publicUrl === null ? null : `${publicUrl}/dashboard/forgot-password`;
      const change = { what: 'factorCleared', at: now, address: null, url } as const;
      if (!(await sendFromCommand(accountEmail(email), changeEmail(change)))) {
        io.print('The e-mail that tells them could not be sent: tell them yourself.');
      }
    }),
  );
}

function disableCommand(io: CommandIo): Command {
  return aboutPerson(
    'disable',
    'sign them out everywhere and let them in no more; ends the invitations they made',
  ).action(({ email }: Email) => setStatus(io, email, 'disabled'));
}

function enableCommand(io: CommandIo): Command {
  return aboutPerson(
    'enable',
    'let a disabled person sign in again, with the password and second factor they had',
  ).action(({ email }: Email) => setStatus(io, email, 'active'));
}

const SAID = {
  disabled: {
    changed: 'is disabled: signed out everywhere, and let in no more.',
    unchanged: 'is disabled already.',
  },
  active: { changed: 'can sign in again.', unchanged: 'is not disabled.' },
};

async function setStatus(io: CommandIo, email: string, status: keyof typeof SAID): Promise<void> {
  await io.withDatabase(async ({ pool, actor, now }) => {
    const outcome = await setPersonStatus(pool, { email, status, actor, now });
    if (outcome === 'not_found') {
      throw new CommandError(`There is no account of ${email}.`);
    }
    io.print(`${email} ${SAID[status][outcome]}`);
  });
}

/** `gateway person …` */
export function personCommands(io: CommandIo): Command {
  return new Command('person')
    .description('people who sign in')
    .addCommand(factorCommand(io))
    .addCommand(disableCommand(io))
    .addCommand(enableCommand(io));
}

/**
 * Sends an e-mail before the command ends.
 *
 * @returns whether it was sent
 */
async function sendFromCommand(email: string, message: EmailMessage): Promise<boolean> {
  try {
    // stdout holds only the result.
    const say = (line: string) => process.stderr.write(`${line}\n`);
    await sendEmail(email, message, { ...mailRoute(), say });
    return true;
  } catch {
    // The log has the reason.
    return false;
  } finally {
    closeMail();
  }
}
