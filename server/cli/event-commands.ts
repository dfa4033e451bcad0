import { Command, InvalidArgumentError } from 'commander';
import {
  type EventAddress,
  readEventAddress,
  removeEventAddress,
  setEventAddress,
} from '../events/address.ts';
import { PRESET_EVENT_TYPES, SENT_EVENT_TYPES, type WrittenEventType } from '../events/types.ts';
import type { Environment } from '../merchants/types.ts';
import { settings } from '../settings/settings.ts';
import { checkedUrl } from '../wire/called-url.ts';
import type { CommandIo } from './context.ts';
import { scoped, tenantOf } from './scope.ts';
import { instant, printable } from './table.ts';

/** Adds a type to those that were given before. */
function addType(text: string, before: WrittenEventType[] = []): WrittenEventType[] {
  const type = SENT_EVENT_TYPES.find((each) => each === text);
  if (!type) throw new InvalidArgumentError(`Allowed choices are ${SENT_EVENT_TYPES.join(', ')}.`);
  return before.includes(type) ? before : [...before, type];
}

const NONE = 'There is no address for events.';

const toJson = (address: EventAddress | null): string =>
  JSON.stringify(address && { url: address.url, types: address.types, set_at: address.setAtMs });

function toText(address: EventAddress | null): string {
  if (address === null) return NONE;
  const { url, types, setAtMs } = address;
  return `${printable(url)}\nSent: ${types.join(', ')}\nSet: ${instant(setAtMs)}`;
}

type SetOptions = { type?: WrittenEventType[]; json?: boolean };

function setCommand(io: CommandIo): Command {
  return scoped('set-address', 'have events sent to an address, in place of any other')
    .argument('<url>')
    .option(
      '--type <type>',
      `what is sent, each by an option of its own: ${SENT_EVENT_TYPES.join(', ')} (${PRESET_EVENT_TYPES.join(', ')} without any)`,
      addType,
    )
    .option('--json', 'print one line of JSON')
    .action((merchantId: string, environment: Environment, given: string, options: SetOptions) =>
      io.withDatabase(async (database) => {
        const { pool, actor, now } = database;
        const tenant = await tenantOf(database, merchantId, environment);
        const address = await setEventAddress(pool, tenant, {
          url: checkedUrl(given),
          types: options.type ?? PRESET_EVENT_TYPES,
          network: settings().callbackNetwork,
          actor,
          now,
        });
        io.print(options.json ? toJson(address) : toText(address));
      }),
    );
}

function removeCommand(io: CommandIo): Command {
  return scoped('remove-address', 'send no more events; what waits is still sent').action(
    (merchantId: string, environment: Environment) =>
      io.withDatabase(async (database) => {
        const { pool, actor, now } = database;
        const tenant = await tenantOf(database, merchantId, environment);
        const wasThere = await removeEventAddress(pool, tenant, { actor, now });
        io.print(wasThere ? 'No more events are sent.' : NONE);
      }),
  );
}

function showCommand(io: CommandIo): Command {
  return scoped('show', 'show the address for events and what is sent there')
    .option('--json', 'print one line of JSON')
    .action((merchantId: string, environment: Environment, { json }: { json?: boolean }) =>
      io.withDatabase(async (database) => {
        const tenant = await tenantOf(database, merchantId, environment);
        const address = await readEventAddress(database.pool, tenant);
        io.print(json ? toJson(address) : toText(address));
      }),
    );
}

/** `gateway events …` */
export function eventCommands(io: CommandIo): Command {
  return new Command('events')
    .description('where a merchant’s events are sent')
    .addCommand(setCommand(io))
    .addCommand(removeCommand(io))
    .addCommand(showCommand(io));
}
