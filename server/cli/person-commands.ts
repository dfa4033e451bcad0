import { Command } from 'commander';
import { GatewayError } from '../lib/errors.ts';
import { clearSecondFactor } from '../merchants/lost-factor.ts';
import type { CommandIo } from './context.ts';

/** `gateway person …` */
export function personCommands(io: CommandIo): Command {
  const clear = new Command('second-factor-off')
    .description('for somebody who has lost the app and the recovery codes; ends their sessions')
    .requiredOption('--email <address>', 'their e-mail address')
    .action(({ email }: { email: string }) =>
      io.withDatabase(async ({ pool, actor, now }) => {
        if ((await clearSecondFactor(pool, { email, actor, now })) === 'not_found') {
          throw new GatewayError('not_found', `${email} has no second factor here.`);
        }
        io.print(`${email} signs in with the password alone from now on.`);
      }),
    );
  return new Command('person').description('people who sign in').addCommand(clear);
}
