import { type ParseArgsConfig, parseArgs } from 'node:util';
import { GatewayClient } from './client.ts';
import type { InvoiceCreateRequest } from './contract.ts';
import { GatewayError } from './errors.ts';
import { type Forwarded, listen } from './listen.ts';
import { printable } from './printable.ts';
import { spanText } from './span.ts';
import { ENDINGS, statusName, trigger } from './trigger.ts';

/** The command's surroundings. */
export type CommandIo = {
  /** Prints lines for a person or a program. */
  print(text: string): void;
  /** Values for omitted options. */
  defaults: { baseUrl?: string; merchantId?: string; token?: string };
  /** Ends `listen`. */
  signal: AbortSignal;
};

/** A mistake in the command's arguments; the message says everything. */
export class UsageError extends Error {
  /** The missing option, if there is one. */
  readonly missing: string | undefined;

  constructor(message: string, { missing, ...options }: ErrorOptions & { missing?: string } = {}) {
    super(message, options);
    this.missing = missing;
  }
}

export const USAGE = `Usage:
  listen --forward-to URL [--replay INVOICE_ID]     forward the sandbox's callbacks to your program
  trigger ${ENDINGS.join('|')}                     create an invoice and take it to that status

Both take:
  --base-url URL       {origin}/api/sandbox   (or GATEWAY_BASE_URL)
  --merchant-id ID     mer_…                  (or GATEWAY_MERCHANT_ID)
  --token TOKEN        the sandbox token      (or GATEWAY_TOKEN)
  --json               print one line of JSON per event
trigger takes:
  --amount N           in minor units; 1500
  --currency CODE      USD
  --callback-url URL   where the callback goes without a listener; http://localhost:4000/callback`;

const OPTIONS = {
  'base-url': { type: 'string' },
  'merchant-id': { type: 'string' },
  token: { type: 'string' },
  json: { type: 'boolean', default: false },
  help: { type: 'boolean', short: 'h', default: false },
  'forward-to': { type: 'string' },
  replay: { type: 'string' },
  amount: { type: 'string', default: '1500' },
  currency: { type: 'string', default: 'USD' },
  'callback-url': { type: 'string', default: 'http://localhost:4000/callback' },
} as const satisfies ParseArgsConfig['options'];

function read(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    // Node's message goes on about positional arguments, which nobody meant.
    const unknown = code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION' && /'(-[^']*)'/.exec(message)?.[1];
    const text = unknown ? `Unknown option ${unknown}. See --help.` : message;
    throw new UsageError(text, { cause: error });
  }
}

type Options = ReturnType<typeof read>['values'];

function required(value: string | undefined, option: string): string {
  if (value) return value;
  throw new UsageError(`${option} is missing. See --help.`, { missing: option });
}

function clientOf(options: Options, { defaults }: CommandIo): GatewayClient {
  const baseUrl = required(options['base-url'] ?? defaults.baseUrl, '--base-url');
  if (/\/production\/?$/.test(baseUrl)) throw new UsageError('This works only in the sandbox.');
  return new GatewayClient({
    baseUrl,
    merchantId: required(options['merchant-id'] ?? defaults.merchantId, '--merchant-id'),
    token: required(options.token ?? defaults.token, '--token'),
  });
}

function verdictText({ verdict, trouble }: Forwarded): string {
  if (trouble) return `the gateway's verdict is unknown: ${explain(trouble)}`;
  if (!verdict) return 'too late: the gateway stopped waiting and will send it again';
  if (verdict.delivered) return 'delivered';
  const next = verdict.next_attempt_in_ms;
  const then = next === null ? 'no attempts left' : `next attempt in ${spanText(next)}`;
  return `NOT delivered: ${verdict.reason}; ${then}`;
}

/** A callback's result at `at`, in local time. */
export function forwardedText(forwarded: Forwarded, at: Date): string {
  const { callback, httpStatus, answer, cause, durationMs } = forwarded;
  const { status } = JSON.parse(callback.body) as { status: number };
  const time = at.toTimeString().slice(0, 'hh:mm:ss'.length);
  const shown = printable(cause ?? answer);
  const answered = `${httpStatus ?? 'no answer:'} ${shown}`.trim();
  return [
    `${time}  ${statusName(status)}  ${callback.invoice_id}  attempt ${callback.attempt}`,
    `          ${answered}  (${durationMs} ms)`,
    `          ${verdictText(forwarded)}`,
  ].join('\n');
}

function forwardedJson(forwarded: Forwarded): string {
  const { callback, httpStatus, cause, durationMs, verdict, trouble } = forwarded;
  return JSON.stringify({
    event: 'callback',
    invoice_id: callback.invoice_id,
    attempt: callback.attempt,
    body: JSON.parse(callback.body),
    http_status: httpStatus,
    cause,
    duration_ms: durationMs,
    verdict,
    trouble: trouble && explain(trouble),
  });
}

/** An invoice's id, also from the `webhook-id` of its callback. */
const invoiceIdOf = (id: string): string => id.replace(/^msg_/, 'inv_');

/** @throws UsageError for an address that callbacks cannot be posted to */
function checkedForwardTo(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  const isHttp = url?.protocol === 'http:' || url?.protocol === 'https:';
  if (!isHttp || url.username || url.password) {
    const example = 'http://localhost:4000/callback';
    throw new UsageError(`--forward-to must be like ${example}, without a user name or password.`);
  }
  return text;
}

async function runListen(client: GatewayClient, options: Options, io: CommandIo): Promise<void> {
  const forwardTo = checkedForwardTo(required(options['forward-to'], '--forward-to'));
  const say = (event: string, text: string) =>
    io.print(options.json ? JSON.stringify({ event, text }) : text);
  const replay = async () => {
    if (!options.replay) return;
    const id = invoiceIdOf(options.replay);
    await client.sandbox.resendCallback(id).catch((error: unknown) => {
      say('replay_failed', `${id} cannot be replayed: ${(error as Error).message}`);
    });
  };
  await listen(client, {
    forwardTo,
    signal: io.signal,
    onReady: () => {
      say('ready', `Forwarding sandbox callbacks to ${forwardTo}. Press Ctrl-C to stop.`);
      void replay();
    },
    onForwarded: (forwarded) =>
      io.print(options.json ? forwardedJson(forwarded) : forwardedText(forwarded, new Date())),
    onTrouble: (error) => say('trouble', `${error.message}; trying again`),
  });
}

/** @throws UsageError unless it is a whole number of minor units: 15.00 would mean 15 of them */
function checkedAmount(text: string): number {
  if (/^\d+$/.test(text)) return Number(text);
  throw new UsageError('--amount takes minor units, digits alone: 1500 in USD is 15.00 USD.');
}

async function runTrigger(
  client: GatewayClient,
  ending: string | undefined,
  { options, io }: { options: Options; io: CommandIo },
): Promise<void> {
  const known = ENDINGS.find((each) => each === ending);
  if (!known) throw new UsageError(`Choose a final status: ${ENDINGS.join(', ')}.`);
  const made = await trigger(client, known, {
    amount: checkedAmount(options.amount),
    // The gateway's answer lists the valid ones.
    currency: options.currency as InvoiceCreateRequest['currency'],
    callbackUrl: options['callback-url'],
  });
  const lines = [
    `invoice_id               ${made.invoice_id}`,
    `merchant_transaction_id  ${made.merchant_transaction_id}`,
    `status                   ${made.status} ${statusName(made.status)}`,
  ];
  io.print(options.json ? JSON.stringify(made) : lines.join('\n'));
}

/**
 * `listen …` and `trigger …`: for a merchant's developer, who needs only a sandbox token.
 *
 * @throws UsageError, GatewayError
 */
export async function runCommand(args: readonly string[], io: CommandIo): Promise<void> {
  const { values: options, positionals } = read(args);
  const [name, ...rest] = positionals;
  if (options.help || (name !== 'listen' && name !== 'trigger')) {
    io.print(USAGE);
    if (!options.help) throw new UsageError('Use listen or trigger. See --help.');
    return;
  }
  const extra = rest.slice(name === 'trigger' ? 1 : 0);
  if (extra.length > 0) throw new UsageError(`Unexpected argument: ${extra.join(' ')}.`);
  const client = clientOf(options, io);
  if (name === 'listen') await runListen(client, options, io);
  else await runTrigger(client, rest[0], { options, io });
}

/** Describes an error for a person, with its code where there is one. */
export function explain(error: unknown): string {
  if (error instanceof GatewayError) return `${error.message} (${error.code})`;
  return error instanceof Error ? error.message : String(error);
}
