import { Command } from 'commander';
import { CommandError } from '../lib/errors.ts';
import { recordAudit } from '../merchants/audit.ts';
import { resealSecrets } from '../operating/reseal.ts';
import { settings } from '../settings/settings.ts';
import type { CommandIo } from './context.ts';

/** `gateway secrets …` */
export function secretsCommands(io: CommandIo): Command {
  const reseal = new Command('reseal')
    .description('seal with SECRETS_KEY what was sealed with SECRETS_KEY_PREVIOUS')
    .action(() =>
      io.withDatabase(async ({ pool, actor, now }) => {
        const [current, ...previous] = settings().openingKeys;
        if (current === undefined) throw new Error('there is no key');
        const { resealed, unchanged, lost } = await resealSecrets(pool, [current, ...previous]);
        const details = { resealed, unchanged, lost: lost.length };
        await recordAudit(pool, { actor, now, action: 'secrets.reseal', details });
        io.print(`Sealed anew: ${resealed}. Sealed with SECRETS_KEY before: ${unchanged}.`);
        if (lost.length === 0) return;
        const names = lost.map(({ table, id }) => `${table} ${id}`).join(', ');
        throw new CommandError(`These open with neither key: ${names}.`);
      }),
    );
  return new Command('secrets').description('what is sealed in the database').addCommand(reseal);
}
