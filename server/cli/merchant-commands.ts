import { Command } from 'commander';
import { CommandError } from '../lib/errors.ts';
import type { HandedOver } from '../mail/first-password.ts';
import { listMerchants, type MerchantSummary } from '../merchants/data.ts';
import { createMerchant, type NewMerchant, setMerchantStatus } from '../merchants/mutations.ts';
import { DEFAULT_TIME_ZONE, ENVIRONMENTS, type Environment } from '../merchants/types.ts';
import { addOwner } from '../staff/add-owner.ts';
import type { CommandIo } from './context.ts';
import { handOverFromCommand, linkToJson, linkToText } from './first-password.ts';
import { instant, table } from './table.ts';

type Json = { json?: boolean };

/** An environment's base URL for merchants, where the gateway's is known. */
function baseUrl(publicUrl: string | null, environment: Environment): string | null {
  return publicUrl === null ? null : `${publicUrl}/api/${environment}`;
}

/** The command for another link to a merchant's owner. */
const ownerAgain = (merchantId: string, email: string) =>
  `merchant add-owner ${merchantId} --email ${email}`;

type Made = { merchant: NewMerchant; link: HandedOver | null; publicUrl: string | null };

function toJson({ merchant, link, publicUrl }: Made): string {
  const environment = (name: Environment) => ({
    base_url: baseUrl(publicUrl, name),
    api_token: merchant[name].apiToken,
    webhook_secret: merchant[name].webhookSecret,
  });
  return JSON.stringify({
    merchant_id: merchant.merchantId,
    name: merchant.name,
    owner: { email: merchant.owner.email, password_link: linkToJson(link) },
    sandbox: environment('sandbox'),
    production: environment('production'),
  });
}

function toText({ merchant, link, publicUrl }: Made): string {
  const { owner, merchantId } = merchant;
  return [
    `Merchant   ${merchantId}  ${merchant.name}`,
    `Owner      ${owner.email}`,
    link
      ? `\n${linkToText(link, ownerAgain(merchantId, owner.email))}`
      : 'They sign in as before: the address has an account already.',
    ...ENVIRONMENTS.flatMap((name) => [
      '',
      name,
      `  Base URL        ${baseUrl(publicUrl, name) ?? `/api/${name} at PUBLIC_URL, which is not set here`}`,
      `  API token       ${merchant[name].apiToken}`,
      `  Signing secret  ${merchant[name].webhookSecret}`,
    ]),
    '',
    'Tokens and secrets are shown this once only.',
  ].join('\n');
}

function summaryToJson(merchant: MerchantSummary) {
  return {
    merchant_id: merchant.id,
    name: merchant.name,
    status: merchant.status,
    owners: merchant.ownerEmails,
    created_at: merchant.createdAtMs,
    suspended_at: merchant.suspendedAtMs,
  };
}

function listToText(merchants: MerchantSummary[]): string {
  if (merchants.length === 0) return 'There is no merchant yet.';
  return table(
    ['ID', 'NAME', 'STATUS', 'OWNERS', 'CREATED'],
    merchants.map(({ id, name, status, ownerEmails, createdAtMs }) => [
      id,
      name,
      status,
      ownerEmails.join(', '),
      instant(createdAtMs),
    ]),
  );
}

function noMerchant(merchantId: string): CommandError {
  return new CommandError(`There is no merchant ${merchantId}.`);
}

function statusCommand(io: CommandIo, verb: 'suspend' | 'resume', description: string): Command {
  const status = verb === 'suspend' ? 'suspended' : 'active';
  return new Command(verb)
    .description(description)
    .argument('<merchant-id>')
    .action((merchantId: string) =>
      io.withDatabase(async ({ pool, actor, now }) => {
        const outcome = await setMerchantStatus(pool, { merchantId, status, actor, now });
        if (outcome === 'not_found') throw noMerchant(merchantId);
        io.print(
          `Merchant ${merchantId} is ${outcome === 'unchanged' ? 'already ' : ''}${status}.`,
        );
      }),
    );
}

function addOwnerCommand(io: CommandIo): Command {
  return new Command('add-owner')
    .description('make somebody an owner, for when no owner can; run again, it makes a new link')
    .argument('<merchant-id>')
    .requiredOption(
      '--email <address>',
      'their e-mail address; an account is made when it has none',
    )
    .option('--json', 'print one line of JSON')
    .action((merchantId: string, { email, json }: { email: string } & Json) =>
      io.withDatabase(async (context) => {
        const { pool, actor, now } = context;
        const added = await addOwner(pool, { merchantId, email, actor, now });
        if (added === 'not_found') throw noMerchant(merchantId);
        const { outcome, email: address } = added;
        const link = await handOverFromCommand(context, added.link, added.merchantName);
        if (json) {
          io.print(JSON.stringify({ outcome, email: address, password_link: linkToJson(link) }));
          return;
        }
        const already = outcome === 'unchanged' ? 'already ' : '';
        io.print(`${address} is ${already}an owner of ${merchantId}.`);
        if (link) io.print(linkToText(link, ownerAgain(merchantId, address)));
      }),
    );
}

/** `gateway merchant …` */
export function merchantCommands(io: CommandIo): Command {
  const create = new Command('create')
    .description('make a merchant with its owner, and tokens and secrets for both environments')
    .requiredOption('--name <name>', "the merchant's name, as buyers see it")
    .requiredOption('--owner-email <address>', "the owner's e-mail address")
    .option('--time-zone <name>', 'the time zone that dates its receipts', DEFAULT_TIME_ZONE)
    .option('--json', 'print one line of JSON')
    .action(({ json, ...wish }: { name: string; ownerEmail: string; timeZone: string } & Json) =>
      io.withDatabase(async (context) => {
        const { pool, actor, now, publicUrl } = context;
        const merchant = await createMerchant(pool, { ...wish, actor, now });
        const { owner } = merchant;
        const link = await handOverFromCommand(context, owner.link, merchant.name);
        io.print((json ? toJson : toText)({ merchant, link, publicUrl }));
      }),
    );
  const list = new Command('list')
    .description('list all merchants')
    .option('--json', 'print one line of JSON')
    .action(({ json }: Json) =>
      io.withDatabase(async ({ pool }) => {
        const merchants = await listMerchants(pool);
        io.print(json ? JSON.stringify(merchants.map(summaryToJson)) : listToText(merchants));
      }),
    );
  return new Command('merchant')
    .description('merchants of this gateway')
    .addCommand(create)
    .addCommand(list)
    .addCommand(addOwnerCommand(io))
    .addCommand(statusCommand(io, 'suspend', 'answer 401 to all its tokens from now on'))
    .addCommand(statusCommand(io, 'resume', 'let a suspended merchant work again'));
}
