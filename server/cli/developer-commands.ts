import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { Command } from 'commander';
import { onEndSignals } from '../lib/end-signals.ts';
import { developerDefaults, settings } from '../settings/settings.ts';
import { type CommandIo, publicUrl } from './context.ts';

type Defaults = { baseUrl?: string; merchantId?: string; token?: string };

const demoFile = (): string => path.join(settings().dataDir, 'demo-merchant.json');

/** On the machine of a gateway that `npm start` has started, its demo merchant; else nothing. */
async function demoDefaults(): Promise<Defaults> {
  try {
    const text = await readFile(demoFile(), 'utf8');
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
async function defaultsFor(
  args: readonly string[],
): Promise<{ defaults: Defaults; advice: string | null }> {
  const given = developerDefaults();
  const names = (option: string) =>
    args.some((arg) => arg === option || arg.startsWith(`${option}=`));
  if (given.baseUrl || names('--base-url')) return { defaults: given, advice: null };
  const demo = await demoDefaults();
  const defaults = { ...demo, ...given };
  if (!demo.token) return { defaults, advice: `There is no ${demoFile()} to go by: ${ELSEWHERE}.` };
  const isDemos = defaults.token === demo.token && !names('--token');
  return { defaults, advice: isDemos ? CHANGED : null };
}

const ELSEWHERE = 'set DATA_DIR and PORT as npm start had them, or name a gateway';
const CHANGED =
  'The token was that of the demo merchant; it may have been replaced or deactivated, or the merchant suspended (gateway merchant list). Make one in the dashboard, Developers, and give --token.';
/** The options that the demo merchant's file stands in for. */
const FOUND = ['--base-url', '--merchant-id', '--token'];

/** Whether either advice helps: nothing was known, or what was known is no longer so. */
function isHelped(error: Error): boolean {
  const { code, missing } = error as { code?: string; missing?: string };
  return code === 'unauthorized' || (missing !== undefined && FOUND.includes(missing));
}

/** Adds what to do to the words of such an error. */
function advised(error: unknown, advice: string | null): unknown {
  if (!(error instanceof Error) || advice === null || !isHelped(error)) return error;
  error.message = `${error.message.replace(/\.?$/, '.')} ${advice}`;
  return error;
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
      const { defaults, advice } = await defaultsFor(args);
      const run = { print: io.print, defaults, signal: untilSignal() };
      await runCommand([name, ...args], run).catch((error: unknown) => {
        throw advised(error, advice);
      });
    });
}

/** `gateway listen` and `gateway trigger`: over HTTP only, as from a merchant's own machine. */
export function developerCommands(io: CommandIo): Command[] {
  return [
    developerCommand(io, 'listen', "have a sandbox's callbacks forwarded to this machine"),
    developerCommand(io, 'trigger', 'make an invoice and drive it: paid, expired or canceled'),
  ];
}
