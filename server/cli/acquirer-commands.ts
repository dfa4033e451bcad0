import { text } from 'node:stream/consumers';
import { Argument, Command } from 'commander';
import { messagesAt } from '../i18n/translator.ts';
import { CommandError, GatewayError } from '../lib/errors.ts';
import { toDecimalString } from '../lib/money.ts';
import type { AccountFault } from '../merchants/account-faults.ts';
import { type AcquirerAccount, listAccounts } from '../merchants/acquirer-accounts.ts';
import { readMerchant } from '../merchants/data.ts';
import { ENVIRONMENTS, type Environment } from '../merchants/types.ts';
import {
  type AccountChange,
  changeAccount,
  checkAccount,
  connectAccount,
} from '../payments/accounts/accounts.ts';
import { hookPath } from '../payments/addresses.ts';
import type { Side } from '../payments/books/compare.ts';
import { type Compared, compareAccount } from '../payments/books/run.ts';
import { ACCOUNT_PROVIDER_NAMES } from '../payments/providers/registry.ts';
import { parseInstant } from './arguments.ts';
import type { CommandIo } from './context.ts';
import { instant, table } from './table.ts';

type Json = { json?: boolean };

/** A fault in the catalogue's English words. */
function faultText({ code, detail }: AccountFault): string {
  if (code === null) return detail ?? '';
  const words = messagesAt('en', 'acquirers.faults')[code];
  return detail === null ? words : `${words} (${detail})`;
}

function toJson(account: AcquirerAccount, publicUrl: string | null) {
  return {
    account_id: account.id,
    provider: account.provider,
    environment: account.environment,
    name: account.name,
    enabled: account.isEnabled,
    hook_url: `${publicUrl ?? ''}${hookPath(account)}`,
    checked_at: account.checkedAtMs,
    check_fault: account.checkFault && faultText(account.checkFault),
    check_fault_code: account.checkFault?.code ?? null,
    called_at: account.calledAtMs,
    call_fault: account.callFault && faultText(account.callFault),
    call_fault_code: account.callFault?.code ?? null,
    down_since: account.downSinceMs,
    failure: account.failure,
  };
}

function listToText(accounts: AcquirerAccount[]): string {
  if (accounts.length === 0) return 'The merchant has no account at an acquirer.';
  return table(
    ['ID', 'ENVIRONMENT', 'PROVIDER', 'NAME', 'OFFERED', 'LAST CALL', 'CHECKED', 'DOWN SINCE'],
    accounts.map((each) => [
      each.id,
      each.environment,
      each.provider,
      each.name,
      each.isEnabled ? 'yes' : 'no',
      instant(each.calledAtMs),
      each.checkFault ? faultText(each.checkFault) : instant(each.checkedAtMs),
      each.downSinceMs === null ? '' : `${instant(each.downSinceMs)} (${each.failure})`,
    ]),
  );
}

async function readCredentialsInput(): Promise<Record<string, unknown>> {
  if (process.stdin.isTTY) {
    throw new CommandError('The credentials come as JSON on standard input: … < credentials.json');
  }
  try {
    const given: unknown = JSON.parse(await text(process.stdin));
    if (typeof given === 'object' && given !== null && !Array.isArray(given)) {
      return given as Record<string, unknown>;
    }
  } catch {
    // Not told in the parser's words: they would repeat a piece of a secret.
  }
  throw new CommandError('Standard input must hold one JSON object with the credentials.');
}

function connectCommand(io: CommandIo): Command {
  return new Command('connect')
    .description("connect a merchant's account; its credentials are JSON on standard input")
    .argument('<merchant-id>')
    .addArgument(new Argument('<environment>').choices(ENVIRONMENTS))
    .addArgument(new Argument('<provider>').choices(ACCOUNT_PROVIDER_NAMES))
    .option('--name <name>', 'what buyers read; the acquirer’s own name otherwise')
    .option('--json', 'print one line of JSON')
    .action(
      async (
        merchantId: string,
        environment: Environment,
        provider: string,
        options: Json & { name?: string },
      ) => {
        const credentials = await readCredentialsInput();
        await io.withDatabase(async ({ pool, actor, now, publicUrl }) => {
          const { name } = options;
          const account = await connectAccount(pool, {
            merchantId,
            environment,
            provider,
            ...(name === undefined ? {} : { name }),
            credentials,
            actor,
            now,
          });
          const { account_id, hook_url } = toJson(account, publicUrl);
          const made = { account_id, provider, environment, hook_url };
          io.print(
            options.json
              ? JSON.stringify(made)
              : `Account ${account_id}\nThe acquirer calls ${hook_url}`,
          );
        });
      },
    );
}

function listCommand(io: CommandIo): Command {
  return new Command('list')
    .description("list a merchant's accounts at acquirers")
    .argument('<merchant-id>')
    .option('--json', 'print one line of JSON')
    .action((merchantId: string, { json }: Json) =>
      io.withDatabase(async ({ pool, publicUrl }) => {
        if (!(await readMerchant(pool, merchantId))) {
          throw new GatewayError('merchant_unknown', { merchantId });
        }
        const accounts: AcquirerAccount[] = [];
        for (const environment of ENVIRONMENTS) {
          accounts.push(...(await listAccounts(pool, { merchantId, environment })));
        }
        const shown = accounts.map((account) => toJson(account, publicUrl));
        io.print(json ? JSON.stringify(shown) : listToText(accounts));
      }),
    );
}

function checkCommand(io: CommandIo): Command {
  return new Command('check')
    .description('ask the acquirer whether an account’s credentials work')
    .argument('<account-id>')
    .option('--json', 'print one line of JSON')
    .action((accountId: string, { json }: Json) =>
      io.withDatabase(async ({ pool, now, publicUrl }) => {
        const account = await checkAccount(pool, accountId, now);
        if (json) io.print(JSON.stringify(toJson(account, publicUrl)));
        else if (account.checkFault === null) io.print(`Account ${accountId} works.`);
        else io.print(`Account ${accountId} does not work: ${faultText(account.checkFault)}.`);
      }),
    );
}

const sideOf = (side: Side | null) =>
  side === null
    ? '-'
    : `${toDecimalString(side.amountMinor, side.currency)} ${side.currency} ${side.state}`;

const sideToJson = (side: Side | null) =>
  side && {
    amount: toDecimalString(side.amountMinor, side.currency),
    currency: side.currency,
    state: side.state,
  };

function comparedToText({ payments, refunds, differences, found }: Compared): string {
  const read = `${payments} payments and ${refunds} refunds compared, ${differences} differences.`;
  if (found.length === 0) return read;
  const rows = found.map((each) => [
    each.kind,
    each.what,
    each.ourId ?? '-',
    each.acquirerId ?? '-',
    sideOf(each.ours),
    sideOf(each.theirs),
    instant(each.atMs),
  ]);
  return `${read}\n${table(['KIND', 'WHAT', 'OURS', 'THEIRS', 'HERE', 'THERE', 'BEGAN'], rows)}`;
}

function comparedToJson({ payments, refunds, differences, found }: Compared) {
  return {
    payments,
    refunds,
    difference_count: differences,
    differences: found.map((each) => ({
      kind: each.kind,
      what: each.what,
      our_id: each.ourId,
      acquirer_id: each.acquirerId,
      invoice_id: each.invoiceId,
      ours: sideToJson(each.ours),
      theirs: sideToJson(each.theirs),
      at: each.atMs,
    })),
  };
}

function compareCommand(io: CommandIo): Command {
  return new Command('compare')
    .description("hold an acquirer's books against ours, and keep what differs")
    .argument('<account-id>')
    .requiredOption('--from <time>', 'what began since then (UTC)', parseInstant)
    .requiredOption('--to <time>', 'and before then (UTC)', parseInstant)
    .option('--json', 'print one line of JSON')
    .action((accountId: string, { from, to, json }: Json & { from: Date; to: Date }) =>
      io.withDatabase(async ({ pool, now }) => {
        if (from >= to) throw new CommandError('--from must be before --to.');
        const span = { fromMs: from.getTime(), toMs: to.getTime() };
        const compared = await compareAccount(pool, accountId, span, now);
        if (!compared) throw new CommandError('This acquirer has no books that can be read.');
        const { fromMs, toMs } = span;
        io.print(
          json
            ? JSON.stringify({
                account_id: accountId,
                from: fromMs,
                to: toMs,
                ...comparedToJson(compared),
              })
            : comparedToText(compared),
        );
      }),
    );
}

const CHANGES: Record<AccountChange, { description: string; done: string }> = {
  enable: { description: 'offer an account to buyers again', done: 'offered' },
  disable: {
    description: 'offer an account no more; what is under way goes on',
    done: 'switched off',
  },
  disconnect: { description: 'end an account for good', done: 'disconnected' },
};

function changeCommand(io: CommandIo, change: AccountChange): Command {
  const { description, done } = CHANGES[change];
  return new Command(change)
    .description(description)
    .argument('<account-id>')
    .option('--json', 'print one line of JSON')
    .action((accountId: string, { json }: Json) =>
      io.withDatabase(async ({ pool, actor, now, publicUrl }) => {
        const { account, isChanged } = await changeAccount(pool, accountId, change, { actor, now });
        if (json) io.print(JSON.stringify(toJson(account, publicUrl)));
        else io.print(`Account ${accountId} is ${isChanged ? '' : 'already '}${done}.`);
      }),
    );
}

/** `gateway acquirer …` */
export function acquirerCommands(io: CommandIo): Command {
  return new Command('acquirer')
    .description("merchants' accounts at acquirers")
    .addCommand(connectCommand(io))
    .addCommand(listCommand(io))
    .addCommand(checkCommand(io))
    .addCommand(compareCommand(io))
    .addCommand(changeCommand(io, 'enable'))
    .addCommand(changeCommand(io, 'disable'))
    .addCommand(changeCommand(io, 'disconnect'));
}
