import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { Command } from 'commander';
import { onEndSignals } from '../lib/end-signals.ts';
import { developerDefaults, settings } from '../settings/settings.ts';
import { type CommandIo, publicUrl } from './context.ts';

type Defaults = { baseUrl?: string; merchantId?: string; token?: string };

const demoFile = (): string => path.join(settings().dataDir, 'demo-merchant.json');

/** The demo merchant's values, beside a gateway started by `npm start`; otherwise none. */
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

/** The demo merchant's values do not apply to another gateway: its token is unknown there. */
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
/** The options that the demo merchant's file can replace. */
const FOUND = ['--base-url', '--merchant-id', '--token'];

/** Whether the advice helps: a value was unknown or is no longer valid. */
function isHelped(error: Error): boolean {
  const { code, missing } = error as { code?: string; missing?: string };
  return code === 'unauthorized' || (missing !== undefined && FOUND.includes(missing));
}

/** Appends advice to the message of such an error. */
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
      // The command belongs to the client package and is loaded only when needed.
      const { runCommand } = await import('../../client/src/command.ts');
      const { defaults, advice } = await defaultsFor(args);
      const run = { print: io.print, defaults, signal: untilSignal() };
      await runCommand([name, ...args], run).catch((error: unknown) => {
        throw advised(error, advice);
      });
    });
}

/** `gateway listen` and `gateway trigger`: only over HTTP, as from a merchant's own machine. */
export function developerCommands(io: CommandIo): Command[] {
  return [
    developerCommand(io, 'listen', "have a sandbox's callbacks forwarded to this machine"),
    developerCommand(io, 'trigger', 'make an invoice and drive it: paid, expired or canceled'),
  ];
}
