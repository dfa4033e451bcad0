import { Command } from 'commander';
import { databaseFault } from '../db/pool.ts';
import { logToStderr } from '../observability/log.ts';
import { acquirerCommands } from './acquirer-commands.ts';
import { callbackCommands } from './callback-commands.ts';
import { type CommandIo, withDatabase } from './context.ts';
import { demoCommands } from './demo-commands.ts';
import { developerCommands } from './developer-commands.ts';
import { eventCommands } from './event-commands.ts';
import { endWithOutput, exitInterrupted, Interrupted } from './interruption.ts';
import { merchantCommands } from './merchant-commands.ts';
import { operatorCommands } from './operator-commands.ts';
import { personCommands } from './person-commands.ts';
import { refundCommands } from './refund-commands.ts';
import { secretsCommands } from './secrets-commands.ts';
import { tokenCommands } from './token-commands.ts';

// `npm run gateway -- …`: the operator's command. stdout holds only the result; a mistake is one
// message on stderr and an exit code of 1.

const io: CommandIo = {
  print: (text) => process.stdout.write(`${text}\n`),
  withDatabase,
};

const program = new Command('gateway')
  .description("the payment gateway's operator command")
  .showHelpAfterError('(see --help)')
  // One line for each group of commands.
  .addCommand(merchantCommands(io))
  .addCommand(tokenCommands(io))
  .addCommand(acquirerCommands(io))
  .addCommand(refundCommands(io))
  .addCommand(callbackCommands(io))
  .addCommand(eventCommands(io))
  .addCommand(demoCommands(io))
  .addCommand(operatorCommands(io))
  .addCommand(personCommands(io))
  .addCommand(secretsCommands(io));
for (const command of developerCommands(io)) program.addCommand(command);

logToStderr();
endWithOutput(process.stdout);
endWithOutput(process.stderr);
try {
  await program.parseAsync();
} catch (error) {
  if (error instanceof Interrupted) exitInterrupted(error);
  process.exitCode = 1;
  // A message for the operator, never a stack or a URL's password.
  process.stderr.write(`error: ${databaseFault(error)}\n`);
}
