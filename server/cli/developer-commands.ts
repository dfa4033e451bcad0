import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { Command } from 'commander';
import { developerDefaults, settings } from '../env.ts';
import { onEndSignals } from '../lib/end-signals.ts';
import { type CommandIo, publicUrl } from './context.ts';

type Defaults = { baseUrl?: string; merchantId?: string; token?: string };

/** On the machine of a gateway that `npm start` has started, its demo merchant. */
async function demoDefaults(): Promise<Defaults> {
  try {
    const text = await readFile(path.join(settings().dataDir, 'demo-merchant.json'), 'utf8');
    const { merchantId, sandbox } = JSON.parse(text) as {
      merchantId: string;
      sandbox: { apiToken: string };
    };
    return { baseUrl: `${publicUrl()}/api/sandbox`, merchantId, token: sandbox.apiToken };
  } catch {
    return {};
  }
}

/** Where another gateway is named, nothing of the demo merchant's is said: its token is none of theirs. */
async function defaultsFor(args: readonly string[]): Promise<Defaults> {
  const given = developerDefaults();
  const isNamed = given.baseUrl || args.some((arg) => /^--base-url(=|$)/.test(arg));
  return isNamed ? given : { ...(await demoDefaults()), ...given };
}

function untilSignal(): AbortSignal {
  const controller = new AbortController();
  onEndSignals(
    () => controller.abort(),
    () => process.exit(1),
  );
  return controller.signal;
}

function developerCommand(io: CommandIo, name: 'listen' | 'trigger', description: string): Command {
  return new Command(name)
    .description(description)
    .argument('[options...]')
    .allowUnknownOption()
    .helpOption(false)
    .action(async (args: string[]) => {
      // The command is the client package's; only whoever needs it loads it.
      const { runCommand } = await import('../../client/src/command.ts');
      const defaults = await defaultsFor(args);
      await runCommand([name, ...args], { print: io.print, defaults, signal: untilSignal() });
    });
}

/** `gateway listen` and `gateway trigger`: over HTTP only, as from a merchant's own machine. */
export function developerCommands(io: CommandIo): Command[] {
  return [
    developerCommand(io, 'listen', "have a sandbox's callbacks forwarded to this machine"),
    developerCommand(io, 'trigger', 'make an invoice and drive it: paid, expired or canceled'),
  ];
}
