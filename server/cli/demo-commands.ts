import { Command } from 'commander';
import { connectStandIns, MULTICARD_SECRET } from '../demo/acquirers.ts';
import { seedDemo } from '../demo/seed.ts';
import { onEndSignals } from '../lib/end-signals.ts';
import { CommandError } from '../lib/errors.ts';
import type { AcquirerAccount } from '../merchants/acquirer-accounts.ts';
import {
  type StandInPorts,
  standInSettings,
  startStandIns,
} from '../testing/acquirers/stand-ins.ts';
import { parseCount } from './arguments.ts';
import { type CommandIo, publicUrl } from './context.ts';

const MAX_INVOICES = 5_000_000;
const MAX_SEED = 999_999;

type Connected = Awaited<ReturnType<typeof connectStandIns>>;
type Options = { invoices: number; seed: number; merchant?: string; json?: boolean };

/** Reports progress on stderr, ten times at most. */
function progress(total: number): (written: number) => void {
  let told = 0;
  return (written) => {
    const tenths = Math.floor((written / total) * 10);
    if (tenths === told) return;
    told = tenths;
    process.stderr.write(`… ${written.toLocaleString('en')} of ${total.toLocaleString('en')}\n`);
  };
}

// Settings name them: they stay what they are from run to run.
const FIRST_PORT = 4801;
const MAX_PORT = 65_531;

/** What of the settings a running gateway does not have: its page's policy names where buyers may go. */
async function missingIn(gatewayUrl: string, wanted: Record<string, string>): Promise<boolean> {
  const response = await fetch(`${gatewayUrl}/pay/none`, { signal: AbortSignal.timeout(5_000) });
  const policy = response.headers.get('content-security-policy') ?? '';
  return Object.values(wanted).some((url) => !policy.includes(new URL(url).origin));
}

/** Whether the gateway sends its buyers to the stand-ins, in words. */
async function aboutGateway(gatewayUrl: string, wanted: Record<string, string>): Promise<string> {
  try {
    return (await missingIn(gatewayUrl, wanted))
      ? `The gateway at ${gatewayUrl} does not point there yet: end it, and start it as above.`
      : `The gateway at ${gatewayUrl} points there.`;
  } catch {
    return `No gateway runs at ${gatewayUrl}: start it as above.`;
  }
}

async function describe(
  ports: StandInPorts,
  accounts: readonly AcquirerAccount[],
): Promise<string> {
  const settings = standInSettings(ports);
  const lines = Object.entries(settings).map(([name, url]) => `${name}=${url} \\`);
  return [
    'Stand-ins of the acquirers take payments until Ctrl-C. No money moves.',
    `In the demo merchant's sandbox: ${accounts.map(({ name, id }) => `${name} ${id}`).join(', ')}`,
    '',
    'Start the gateway so that its buyers come here:',
    '',
    ...lines,
    'npm start',
    '',
    await aboutGateway(publicUrl(), settings),
    'Then make an invoice in the dashboard (Invoices, New invoice) and open its page: Payme, Click and',
    'Multicard take UZS, Stripe USD and EUR, YooKassa RUB. An acquirer’s page that is opened again after it',
    'was paid refunds the payment as from the cabinet there; Multicard tells nobody of that, and has no such button.',
  ].join('\n');
}

function untilEnd(): Promise<void> {
  return new Promise((resolve) =>
    onEndSignals(
      () => resolve(),
      () => process.exit(1),
    ),
  );
}

/** `gateway demo acquirers`. */
function acquirersCommand(io: CommandIo, until: () => Promise<void>): Command {
  return new Command('acquirers')
    .description("serve stand-ins of the acquirers, connected to the demo merchant's sandbox")
    .option(
      '--port <port>',
      'the first of five in a row on which they listen',
      parseCount(MAX_PORT),
      FIRST_PORT,
    )
    .action(async ({ port }: { port: number }) => {
      const ports = {
        payme: port,
        click: port + 1,
        multicard: port + 2,
        stripe: port + 3,
        yookassa: port + 4,
      };
      let connected: Connected = { accounts: [], hooks: new Map() };
      await io.withDatabase(async ({ pool, actor, now }) => {
        connected = await connectStandIns(pool, { publicUrl: publicUrl(), actor, now });
      });
      const given = { hooks: connected.hooks, multicardSecret: MULTICARD_SECRET };
      const stop = await startStandIns(ports, given).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'EADDRINUSE') throw error;
        throw new CommandError(
          `Somebody listens on one of the ports ${port} to ${port + 4}: name others by --port.`,
        );
      });
      io.print(await describe(ports, connected.accounts));
      await until();
      await stop();
    });
}

/**
 * `gateway demo …`
 *
 * @param until when the stand-ins end: at a signal, unless a test says otherwise
 */
export function demoCommands(io: CommandIo, until = untilEnd): Command {
  const seed = new Command('seed')
    .description(
      "fill a merchant's sandbox with made-up invoices of the last 90 days; nothing is sent anywhere",
    )
    .option(
      '--invoices <count>',
      'how many; a million takes minutes',
      parseCount(MAX_INVOICES),
      20_000,
    )
    .option('--seed <number>', 'another number makes other data', parseCount(MAX_SEED), 1)
    .option(
      '--merchant <merchant-id>',
      'a merchant that has no invoices of its own (default: the demo merchant)',
    )
    .option('--json', 'print one line of JSON')
    .action(({ invoices, seed: number, merchant, json }: Options) =>
      io.withDatabase(async ({ pool, actor, now }) => {
        const done = await seedDemo(pool, {
          merchantId: merchant ?? null,
          invoices,
          seed: number,
          publicUrl: publicUrl(),
          actor,
          now,
          onProgress: progress(invoices),
        });
        const result = {
          merchant_id: done.merchantId,
          environment: 'sandbox',
          invoices,
          seed: number,
        };
        io.print(
          json
            ? JSON.stringify(result)
            : `Merchant ${done.merchantId} has ${invoices.toLocaleString('en')} more invoices in its sandbox.`,
        );
      }),
    );
  return new Command('demo')
    .description('made-up data and acquirers to look at')
    .addCommand(seed)
    .addCommand(acquirersCommand(io, until));
}
