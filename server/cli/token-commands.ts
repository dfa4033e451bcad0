import { Argument, Command, InvalidArgumentError } from 'commander';
import { CommandError } from '../lib/errors.ts';
import { readMerchant } from '../merchants/data.ts';
import { issueToken, withdrawToken } from '../merchants/mutations.ts';
import { checkNetworks } from '../merchants/networks.ts';
import { findTokenPlace, listTokens, type TokenSummary } from '../merchants/tokens.ts';
import {
  DEFAULT_SCOPES,
  ENVIRONMENTS,
  type Environment,
  SCOPES,
  type Scope,
} from '../merchants/types.ts';
import { parseInstant } from './arguments.ts';
import type { CommandIo } from './context.ts';
import { instant, table } from './table.ts';

type CreateOptions = {
  name: string;
  expires?: Date;
  scope?: Scope[];
  fromNetwork: string[];
  json?: boolean;
};

/** Adds a scope to those that were given before. */
function addScope(text: string, before: Scope[] = []): Scope[] {
  const scope = SCOPES.find((each) => each === text);
  if (!scope) throw new InvalidArgumentError(`Allowed choices are ${SCOPES.join(', ')}.`);
  return before.includes(scope) ? before : [...before, scope];
}

function addNetwork(text: string, before: string[]): string[] {
  return [...before, text];
}

function summaryToJson(token: TokenSummary) {
  return {
    token_id: token.id,
    environment: token.environment,
    name: token.name,
    prefix: token.prefix,
    created_at: token.createdAtMs,
    last_used_at: token.lastUsedAtMs,
    last_used_for: token.lastUsedFor,
    last_used_from: token.lastUsedFrom,
    expires_at: token.expiresAtMs,
    deactivated_at: token.deactivatedAtMs,
    scopes: token.scopes,
    from_networks: token.networks,
  };
}

/** When, for what and from where a token was last used. */
function lastUseText({ lastUsedAtMs, lastUsedFor, lastUsedFrom }: TokenSummary): string {
  return [instant(lastUsedAtMs), lastUsedFor, lastUsedFrom && `from ${lastUsedFrom}`]
    .filter(Boolean)
    .join(' ');
}

const LIST_HEADINGS = [
  'ID',
  'ENVIRONMENT',
  'NAME',
  'SCOPES',
  'WORKS FROM',
  'BEGINS WITH',
  'LAST USED',
  'EXPIRES',
  'DEACTIVATED',
];

function listToText(tokens: TokenSummary[]): string {
  if (tokens.length === 0) return 'The merchant has no token.';
  return table(
    LIST_HEADINGS,
    tokens.map((token) => [
      token.id,
      token.environment,
      token.name,
      token.scopes.join(' '),
      token.networks.join(' ') || 'everywhere',
      `${token.prefix}…`,
      lastUseText(token),
      instant(token.expiresAtMs),
      instant(token.deactivatedAtMs),
    ]),
  );
}

/** How many of a merchant's tokens the list leaves out, by environment. */
function endedEarlierToText(endedEarlier: [Environment, number][]): string {
  return endedEarlier
    .filter(([, count]) => count > 0)
    .map(([environment, count]) => `\nEnded earlier in ${environment}, not listed: ${count}`)
    .join('');
}

function createCommand(io: CommandIo): Command {
  return new Command('create')
    .description('make a token; its text is shown this once only')
    .argument('<merchant-id>')
    .addArgument(new Argument('<environment>').choices(ENVIRONMENTS))
    .requiredOption('--name <name>', 'what the token is for')
    .option('--expires <time>', 'when it stops working (UTC)', parseInstant)
    .option(
      '--scope <scope>',
      `what it may do, each by an option of its own: ${SCOPES.join(', ')} (all but refunds.write without any)`,
      addScope,
    )
    .option(
      '--from-network <network>',
      'an address or network (203.0.113.7, 203.0.113.0/24, 2001:db8::/32) from which alone it works, each by an option of its own (from everywhere without any)',
      addNetwork,
      [],
    )
    .option('--json', 'print one line of JSON')
    .action((merchantId: string, environment: Environment, options: CreateOptions) =>
      io.withDatabase(async ({ pool, actor, now }) => {
        const { name, expires: expiresAt, scope: scopes = DEFAULT_SCOPES } = options;
        if (expiresAt && expiresAt <= now) {
          throw new CommandError('The token would be expired already: see --expires.');
        }
        const networks = checkNetworks(options.fromNetwork);
        const request = { merchantId, environment, name, expiresAt, scopes, networks, actor, now };
        const { id, token } = await issueToken(pool, request);
        const json = {
          token_id: id,
          merchant_id: merchantId,
          environment,
          name,
          scopes,
          from_networks: networks,
          api_token: token,
        };
        io.print(options.json ? JSON.stringify(json) : `Token ${id}\n${token}`);
      }),
    );
}

function listCommand(io: CommandIo): Command {
  return new Command('list')
    .description(
      "list a merchant's tokens: those that work, and the 50 of each environment that ended last",
    )
    .argument('<merchant-id>')
    .option('--json', 'print one line of JSON')
    .action((merchantId: string, { json }: { json?: boolean }) =>
      io.withDatabase(async ({ pool, now }) => {
        if (!(await readMerchant(pool, merchantId))) {
          throw new CommandError(`There is no merchant ${merchantId}.`);
        }
        const tokens: TokenSummary[] = [];
        const endedEarlier: [Environment, number][] = [];
        for (const environment of ENVIRONMENTS) {
          const listed = await listTokens(pool, { merchantId, environment, now });
          tokens.push(...listed.tokens);
          endedEarlier.push([environment, listed.endedEarlier]);
        }
        if (json) io.print(JSON.stringify(tokens.map(summaryToJson)));
        else io.print(listToText(tokens) + endedEarlierToText(endedEarlier));
      }),
    );
}

function deactivateCommand(io: CommandIo): Command {
  return new Command('deactivate')
    .description('end a token for good')
    .argument('<token-id>', 'the ID that `token list` shows, not the token itself')
    .action((tokenId: string) =>
      io.withDatabase(async ({ pool, actor, now }) => {
        const place = await findTokenPlace(pool, tokenId);
        const outcome = place
          ? await withdrawToken(pool, { ...place, tokenId, actor, now })
          : 'not_found';
        if (outcome === 'not_found') {
          // The id is not repeated: somebody may have pasted the token itself.
          throw new CommandError('There is no token with that ID; see `token list`.');
        }
        io.print(`Token ${tokenId} is ${outcome === 'unchanged' ? 'already ' : ''}deactivated.`);
      }),
    );
}

/** `gateway token …` */
export function tokenCommands(io: CommandIo): Command {
  return new Command('token')
    .description('API tokens of a merchant')
    .addCommand(createCommand(io))
    .addCommand(listCommand(io))
    .addCommand(deactivateCommand(io));
}
