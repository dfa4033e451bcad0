import { Command } from 'commander';
import { CommandError, GatewayError } from '../lib/errors.ts';
import { type Currency, toDecimalString } from '../lib/money.ts';
import { grantTenant } from '../merchants/tenant.ts';
import type { Tenant } from '../merchants/types.ts';
import { isDisputed } from '../payments/disputes/disputes.ts';
import { findInvoicePlace, listRefunds } from '../refunds/data.ts';
import { requestRefund } from '../refunds/refund.ts';
import type { InvoiceRefunds, NewRefund } from '../refunds/types.ts';
import { parseRefundRequest } from '../wire/refund-requests.ts';
import { refundListText, refundText } from '../wire/refund-responses.ts';
import type { CommandContext, CommandIo } from './context.ts';
import { instant, printable, table } from './table.ts';

const formatAmount = (amountMinor: bigint, currency: Currency): string =>
  `${toDecimalString(amountMinor, currency)} ${currency}`;

const DISPUTED =
  'warning: This payment is disputed: a refund beside a lost dispute pays the buyer twice.';

type CreateOptions = { transactionId: string; amount?: string; reason?: string; json?: boolean };

async function tenantOf({ pool }: CommandContext, invoiceId: string): Promise<Tenant> {
  const place = await findInvoicePlace(pool, invoiceId);
  if (!place) throw new CommandError(`There is no invoice ${invoiceId}.`);
  return grantTenant(place.merchantId, place.environment);
}

/** The refund that the arguments name, by the rules of the API. */
function wantedOf(invoiceId: string, options: CreateOptions): NewRefund {
  const { transactionId: refund_transaction_id, amount, reason } = options;
  const sum = amount !== undefined && /^\d{1,16}$/.test(amount) ? Number(amount) : amount;
  const body = { invoice_id: invoiceId, refund_transaction_id, amount: sum, reason };
  const parsed = parseRefundRequest(Buffer.from(JSON.stringify(body)), 'application/json');
  if (parsed.ok) return parsed.value;
  const faults = parsed.detail.map(({ loc, msg }) => `${loc.slice(1).join('.')}: ${msg}`);
  throw new CommandError(faults.join('; '));
}

function createCommand(io: CommandIo): Command {
  return new Command('create')
    .description('give the money of a PAID invoice back, or a part of it')
    .argument('<invoice-id>')
    .requiredOption('--transaction-id <id>', 'the merchant’s id of the refund; never used twice')
    .option('--amount <amount>', 'in minor units; all that is left without it')
    .option('--reason <reason>', 'why, up to 255 characters')
    .option('--json', 'print one line of JSON')
    .action((invoiceId: string, options: CreateOptions) =>
      io.withDatabase(async (database) => {
        const wanted = wantedOf(invoiceId, options);
        const tenant = await tenantOf(database, invoiceId);
        const { pool, actor: audit, now } = database;
        const actor = { type: 'operator', id: audit.id } as const;
        const by = { actor, audit, key: null, clock: () => now };
        if (await isDisputed(pool, invoiceId)) process.stderr.write(`${DISPUTED}\n`);
        const begun = await requestRefund(pool, tenant, wanted, by);
        if ('refusal' in begun) throw begun.refusal;
        if (!('refund' in begun)) throw new GatewayError('refund_exists');
        const { refund } = begun;
        const { id, status, amountMinor, currency, failureReason } = refund;
        const sum = formatAmount(amountMinor, currency);
        const why = failureReason === null ? '' : `: ${failureReason}`;
        io.print(options.json ? refundText(refund) : `Refund ${id} of ${sum} is ${status}${why}`);
      }),
    );
}

function listToText({ refunds, currency, refundedMinor, refundableMinor }: InvoiceRefunds): string {
  const sums =
    `Refunded: ${formatAmount(refundedMinor, currency)}\n` +
    `Left: ${formatAmount(refundableMinor, currency)}`;
  if (refunds.length === 0) return sums;
  const lines = table(
    ['ID', 'TRANSACTION ID', 'AMOUNT', 'STATUS', 'ASKED FOR', 'REASON', 'WHY IT FAILED'],
    refunds.map((each) => [
      each.id,
      printable(each.refundTransactionId ?? 'at the acquirer'),
      formatAmount(each.amountMinor, each.currency),
      each.status,
      instant(each.createdAtMs),
      printable(each.reason ?? ''),
      printable(each.failureReason ?? ''),
    ]),
  );
  return `${lines}\n\n${sums}`;
}

function listCommand(io: CommandIo): Command {
  return new Command('list')
    .description("list an invoice's refunds, the oldest first")
    .argument('<invoice-id>')
    .option('--json', 'print one line of JSON')
    .action((invoiceId: string, { json }: { json?: boolean }) =>
      io.withDatabase(async (database) => {
        const tenant = await tenantOf(database, invoiceId);
        const found = await listRefunds(database.pool, tenant, invoiceId);
        if (!found) throw new CommandError(`There is no invoice ${invoiceId}.`);
        io.print(json ? refundListText(found) : listToText(found));
      }),
    );
}

/** `gateway refund …` */
export function refundCommands(io: CommandIo): Command {
  return new Command('refund')
    .description('money back to buyers')
    .addCommand(createCommand(io))
    .addCommand(listCommand(io));
}
