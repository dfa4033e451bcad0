import { Command } from 'commander';
import { CommandError } from '../lib/errors.ts';
import { addOperator, listOperators, removeOperator } from '../operating/operators.ts';
import type { CommandIo } from './context.ts';
import { handOverFromCommand, linkToJson, linkToText } from './first-password.ts';
import { instant, table } from './table.ts';

type Email = { email: string };
type Json = { json?: boolean };

function addCommand(io: CommandIo): Command {
  return new Command('add')
    .description('let a person see and do what is at /operator')
    .requiredOption(
      '--email <address>',
      'their e-mail address; an account is made when it has none',
    )
    .option('--json', 'print one line of JSON')
    .action(({ email, json }: Email & Json) =>
      io.withDatabase(async (context) => {
        const { pool, actor, now } = context;
        const {
          outcome,
          email: address,
          ...added
        } = await addOperator(pool, { email, actor, now });
        const link = await handOverFromCommand(context, added.link, null);
        if (json) {
          io.print(JSON.stringify({ outcome, email: address, password_link: linkToJson(link) }));
          return;
        }
        const already = outcome === 'unchanged' ? 'already ' : '';
        io.print(`${address} is ${already}an operator.`);
        if (link) io.print(linkToText(link, `operator add --email ${address}`));
      }),
    );
}

function removeCommand(io: CommandIo): Command {
  return new Command('remove')
    .description('take a person off; what they belong to at merchants stays')
    .requiredOption('--email <address>', 'their e-mail address')
    .action(({ email }: Email) =>
      io.withDatabase(async ({ pool, actor, now }) => {
        if ((await removeOperator(pool, { email, actor, now })) === 'not_found') {
          throw new CommandError(`${email} is not an operator.`);
        }
        io.print(`${email} is no longer an operator.`);
      }),
    );
}

function listCommand(io: CommandIo): Command {
  return new Command('list')
    .description('list the operators')
    .option('--json', 'print one line of JSON')
    .action(({ json }: Json) =>
      io.withDatabase(async ({ pool }) => {
        const operators = await listOperators(pool);
        if (json) {
          const rows = operators.map(({ email, status, lastSeenAtMs }) => ({
            email,
            status,
            last_seen_at: lastSeenAtMs,
          }));
          io.print(JSON.stringify(rows));
        } else if (operators.length === 0) {
          io.print('There is no operator yet. Add one: operator add --email you@example.com');
        } else {
          const rows = operators.map(({ email, status, lastSeenAtMs }) => [
            email,
            status,
            lastSeenAtMs === null ? '' : instant(lastSeenAtMs),
          ]);
          io.print(table(['ADDRESS', 'STATUS', 'LAST SEEN'], rows));
        }
      }),
    );
}

/** `gateway operator …` */
export function operatorCommands(io: CommandIo): Command {
  return new Command('operator')
    .description('operators, who may open /operator')
    .addCommand(addCommand(io))
    .addCommand(removeCommand(io))
    .addCommand(listCommand(io));
}
