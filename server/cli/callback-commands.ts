import { Command, Option } from 'commander';
import { listCallbacks, readCallback } from '../callbacks/data.ts';
import { resendCallback, resendFailedSince } from '../callbacks/resend.ts';
import { CALLBACK_STATES, type CallbackState, type CallbackView } from '../callbacks/types.ts';
import { CommandError } from '../lib/errors.ts';
import type { Environment, Tenant } from '../merchants/types.ts';
import { parseCount, parseInstant } from './arguments.ts';
import type { CommandContext, CommandIo } from './context.ts';
import { scoped, tenantOf } from './scope.ts';
import { instant, printable, table } from './table.ts';

const MAX_ROWS = 100;

function toJson(callback: CallbackView) {
  return {
    invoice_id: callback.invoiceId,
    event_type: callback.eventType,
    webhook_id: callback.messageId,
    invoice_status: callback.invoiceStatus,
    url: callback.url,
    state: callback.state,
    attempts: callback.attemptCount,
    created_at: callback.createdAt.getTime(),
    next_attempt_at: callback.nextAttemptAt?.getTime() ?? null,
    delivered_at: callback.deliveredAt?.getTime() ?? null,
    last_http_status: callback.lastHttpStatus,
    last_reason: callback.lastReason,
  };
}

const when = (time: Date | null): string => instant(time?.getTime() ?? null);

function toText(callbacks: readonly CallbackView[]): string {
  if (callbacks.length === 0) return 'There is no such callback.';
  return table(
    ['INVOICE OR EVENT', 'TELLS', 'STATE', 'ATTEMPTS', 'NEXT ATTEMPT', 'HOST', 'LAST REASON'],
    callbacks.map((callback) => [
      callback.eventType ? callback.id : callback.invoiceId,
      callback.eventType ?? callback.invoiceStatus,
      callback.state,
      String(callback.attemptCount),
      when(callback.nextAttemptAt),
      callback.host,
      callback.lastReason ?? '',
    ]),
  );
}

type ListOptions = { state?: CallbackState; limit: number; json?: boolean };

function listCommand(io: CommandIo): Command {
  return scoped('list', "list a merchant's callbacks, the newest first")
    .addOption(new Option('--state <state>', 'only these').choices(CALLBACK_STATES))
    .option('--limit <n>', `how many, at most ${MAX_ROWS}`, parseCount(MAX_ROWS), 20)
    .option('--json', 'print one line of JSON')
    .action((merchantId: string, environment: Environment, options: ListOptions) =>
      io.withDatabase(async (database) => {
        const tenant = await tenantOf(database, merchantId, environment);
        const { callbacks } = await listCallbacks(database.pool, tenant, {
          states: options.state ? [options.state] : CALLBACK_STATES,
          cursor: null,
          limit: options.limit,
          now: database.now,
        });
        io.print(options.json ? JSON.stringify(callbacks.map(toJson)) : toText(callbacks));
      }),
    );
}

const unknownInvoice = () =>
  new CommandError('That merchant has no callback of such an invoice or event there.');

function showCommand(io: CommandIo): Command {
  return scoped('show', 'show one callback with what became of each attempt')
    .argument('<invoice-id>', 'or the id of an event')
    .action((merchantId: string, environment: Environment, named: string) =>
      io.withDatabase(async (database) => {
        const tenant = await tenantOf(database, merchantId, environment);
        const found = await readCallback(database.pool, tenant, named, { now: database.now });
        if (!found) throw unknownInvoice();
        const attempts = found.attempts.map((attempt) => [
          String(attempt.number),
          attempt.startedAt.toISOString(),
          `${attempt.durationMs} ms`,
          String(attempt.httpStatus ?? '-'),
          attempt.trigger,
          attempt.reason ?? 'delivered',
        ]);
        const head = ['ATTEMPT', 'BEGAN', 'TOOK', 'HTTP', 'BY', 'RESULT'];
        const made = attempts.length > 0 ? table(head, attempts) : 'No attempt was made yet.';
        const { attemptCount } = found.callback;
        const cut =
          attemptCount > attempts.length
            ? `\n\nOnly the newest ${attempts.length} of ${attemptCount} attempts are shown.`
            : '';
        const answered = found.attempts.findLast(({ answer }) => answer);
        const answer = answered
          ? `\n\nThe answer to attempt ${answered.number}:\n${printable(answered.answer ?? '')}`
          : '';
        const parts = `${printable(found.body)}\n\n${made}${cut}${answer}`;
        io.print(`${toText([found.callback])}\n\n${parts}`);
      }),
    );
}

async function resendOne(
  database: CommandContext,
  tenant: Tenant,
  invoiceId: string,
): Promise<string> {
  const { pool, actor, now } = database;
  const outcome = await resendCallback(pool, tenant, invoiceId, { actor, now });
  if (outcome === 'not_found') throw unknownInvoice();
  return outcome === 'queued'
    ? `The callback of ${invoiceId} is due now.`
    : `The callback of ${invoiceId} is being sent at this moment.`;
}

function resendCommand(io: CommandIo): Command {
  return scoped('resend', 'make callbacks due now: one, or all that failed')
    .argument('[invoice-id]', 'or the id of an event')
    .option(
      '--failed-since <time>',
      'all that had a failed attempt since then (UTC) and are not delivered',
      parseInstant,
    )
    .action(
      (
        merchantId: string,
        environment: Environment,
        invoiceId: string | undefined,
        { failedSince: since }: { failedSince?: Date },
      ) =>
        io.withDatabase(async (database) => {
          const tenant = await tenantOf(database, merchantId, environment);
          if (invoiceId !== undefined && since === undefined) {
            io.print(await resendOne(database, tenant, invoiceId));
            return;
          }
          if (since === undefined) {
            throw new CommandError('Give an invoice id or --failed-since <time>.');
          }
          if (invoiceId !== undefined) {
            throw new CommandError('Give an invoice id or --failed-since, not both.');
          }
          const { pool, actor, now } = database;
          const { queued } = await resendFailedSince(pool, tenant, { since, actor, now });
          io.print(`${queued} callback${queued === 1 ? ' is' : 's are'} due now.`);
        }),
    );
}

/** `gateway callback …` */
export function callbackCommands(io: CommandIo): Command {
  return new Command('callback')
    .description('notifications to merchants')
    .addCommand(listCommand(io))
    .addCommand(showCommand(io))
    .addCommand(resendCommand(io));
}
