import { z } from 'zod';
import { CALLBACK_STATES } from '../callbacks/types.ts';
import { type InvoiceDetails, type InvoiceRecord, STATUS_CODES } from '../invoices/types.ts';
import { position } from './create-request.ts';
import { anyString } from './fields.ts';
import { createdInvoice } from './invoice-responses.ts';
import { cursorText } from './list-query.ts';

const { success_url, error_url, status, ...given } = createdInvoice.shape;

const NO_ADDRESS = 'Null for a payment link that was made in the dashboard without it';

/** An invoice in a list. */
export const invoiceRecord = z
  .object({
    invoice_id: given.invoice_id,
    invoice_url: given.invoice_url,
    success_url: success_url.nullable().meta({ description: NO_ADDRESS }),
    error_url: error_url.nullable().meta({ description: NO_ADDRESS }),
    callback_url: success_url.nullable().meta({
      description: `${NO_ADDRESS}. Then no callback is sent`,
    }),
    status: status.meta({ description: '1 PENDING, 2 PAID, 3 EXPIRED, 4 CANCELED' }),
    amount: given.amount,
    currency: given.currency,
    description: given.description,
    merchant_transaction_id: given.merchant_transaction_id,
    positions: z.array(position),
    merchant_data: given.merchant_data,
    end_date: given.end_date,
    created_at: given.created_at,
    updated_at: z.int().meta({
      description:
        'Time of the last status change, or while PENDING of the creation; UTC, milliseconds',
    }),
    extra_data: z.record(z.string(), z.unknown()).meta({
      description:
        'The same as in the callback: on PAID `provider`, `transaction_id` and `receipt_url` at least',
    }),
    refunded_amount: z.int().min(0).meta({
      description: 'The sum of its refunds that are PENDING or SUCCEEDED, in minor units',
    }),
  })
  .meta({ id: 'InvoiceRecord' });

/** An invoice with the state of its notification. */
export const invoiceDetails = z
  .object({
    ...invoiceRecord.shape,
    callback: z
      .object({
        state: z.enum(CALLBACK_STATES).meta({
          description: 'pending: more attempts will follow; exhausted: no more will',
        }),
        attempts: z.int().min(0).meta({ description: 'How many have been made so far' }),
        next_attempt_at: z
          .int()
          .nullable()
          .meta({ description: 'UTC, milliseconds; null unless pending' }),
      })
      .nullable()
      .meta({
        description:
          'The notification of the status change; null while PENDING, and where callback_url is null',
      }),
  })
  .meta({ id: 'InvoiceDetails' });

/** A page of a list. */
export const invoiceList = z
  .object({
    invoices: z.array(invoiceRecord).meta({ description: 'The newest first' }),
    next_cursor: anyString.nullable().meta({ description: 'Null on the last page' }),
  })
  .meta({ id: 'InvoiceList' });

/** It is written by hand, because what is stored as JSON text must come back as the same text. */
function recordFields(record: InvoiceRecord, publicUrl: string): string {
  const { id } = record;
  return (
    `"invoice_id":${JSON.stringify(id)},"invoice_url":${JSON.stringify(`${publicUrl}/pay/${id}`)},` +
    `"success_url":${JSON.stringify(record.successUrl)},"error_url":${JSON.stringify(record.errorUrl)},` +
    `"callback_url":${JSON.stringify(record.callbackUrl)},` +
    `"status":${STATUS_CODES[record.status]},"amount":${record.amountMinor},"currency":"${record.currency}",` +
    `"description":${JSON.stringify(record.description)},` +
    `"merchant_transaction_id":${JSON.stringify(record.merchantTransactionId)},` +
    `"positions":${record.positionsText},"merchant_data":${record.merchantData ?? 'null'},` +
    `"end_date":${record.endDateMs},"created_at":${record.createdAtMs},` +
    `"updated_at":${record.statusChangedAtMs},"extra_data":${record.extraData ?? '{}'},` +
    `"refunded_amount":${record.refundedMinor}`
  );
}

/** The data of the details of an invoice. */
export function invoiceDetailsText(details: InvoiceDetails, publicUrl: string): string {
  const { callback } = details;
  const its = callback && {
    state: callback.state,
    attempts: callback.attempts,
    next_attempt_at: callback.nextAttemptAtMs,
  };
  return `{${recordFields(details, publicUrl)},"callback":${JSON.stringify(its)}}`;
}

/** The data of a page of a list. */
export function invoiceListText(
  {
    records,
    next,
  }: { records: readonly InvoiceRecord[]; next: Parameters<typeof cursorText>[0] | null },
  publicUrl: string,
): string {
  const invoices = records.map((record) => `{${recordFields(record, publicUrl)}}`);
  const cursor = next && cursorText(next);
  return `{"invoices":[${invoices.join(',')}],"next_cursor":${JSON.stringify(cursor)}}`;
}
