import { Command } from 'commander';
import { seedDemo } from '../demo/seed.ts';
import { parseCount } from './arguments.ts';
import { type CommandIo, publicUrl } from './context.ts';

const MAX_INVOICES = 5_000_000;
const MAX_SEED = 999_999;

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

/** `gateway demo …` */
export function demoCommands(io: CommandIo): Command {
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
  return new Command('demo').description('made-up data to look at').addCommand(seed);
}
