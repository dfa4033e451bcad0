import { z } from 'zod';
import type { InvoiceStatusView, NewInvoice } from '../invoices/types.ts';
import { STATUS_CODES } from '../invoices/types.ts';
import { DECLINE_REASONS, type DeclineReason } from '../payments/types.ts';
import { amount, anyString, currency, endDate, httpUrl } from './fields.ts';

const invoiceId = anyString.meta({ description: "The gateway's id of the invoice" });
const status = z
  .int()
  .min(1)
  .max(4)
  .meta({ description: '1 PENDING, 2 PAID, 3 EXPIRED, 4 CANCELED' });

export const createdInvoice = z
  .object({
    invoice_id: invoiceId,
    invoice_url: httpUrl.meta({
      description: 'The payment page: send the buyer here',
      example: 'https://pay.example/pay/inv_01kb0k2v9rx5d8c3q7m1n4p6s0t2v5w8y1z',
    }),
    success_url: httpUrl,
    error_url: httpUrl,
    status: status.meta({ description: '1 (PENDING) on creation' }),
    amount,
    currency,
    description: anyString,
    merchant_transaction_id: anyString,
    merchant_data: z
      .record(z.string(), z.unknown())
      .nullable()
      .meta({ description: 'The data as supplied; null when there was none' }),
    end_date: endDate,
    created_at: z.int().meta({ description: 'UTC, milliseconds' }),
  })
  .meta({ id: 'InvoiceCreated' });

export const invoiceStatus = z
  .object({ invoice_id: invoiceId, status, end_date: endDate })
  .meta({ id: 'InvoiceStatus' });

export const testPayment = z
  .object({
    invoice_id: invoiceId,
    status,
    end_date: endDate,
    decline_reason: z.enum(DECLINE_REASONS).nullable().meta({
      description:
        'Null unless declined. Null with status 1: the acquirer has not answered within 5 seconds; the callback will tell the outcome',
    }),
  })
  .meta({ id: 'TestPayment' });

/**
 * The data of a create's answer, fields in the contract's order.
 *
 * It is written by hand, because merchant_data must come back as the same text.
 */
export function createdInvoiceText(created: {
  id: string;
  url: string;
  createdAtMs: number;
  invoice: NewInvoice;
}): string {
  const { id, url, createdAtMs, invoice } = created;
  return (
    `{"invoice_id":${JSON.stringify(id)},"invoice_url":${JSON.stringify(url)},` +
    `"success_url":${JSON.stringify(invoice.successUrl)},"error_url":${JSON.stringify(invoice.errorUrl)},` +
    `"status":${STATUS_CODES.PENDING},"amount":${invoice.amountMinor},"currency":"${invoice.currency}",` +
    `"description":${JSON.stringify(invoice.description)},` +
    `"merchant_transaction_id":${JSON.stringify(invoice.merchantTransactionId)},` +
    `"merchant_data":${invoice.merchantData ?? 'null'},` +
    `"end_date":${invoice.endDateMs},"created_at":${createdAtMs}}`
  );
}

function statusFields(view: InvoiceStatusView): string {
  return `"invoice_id":${JSON.stringify(view.invoiceId)},"status":${STATUS_CODES[view.status]},"end_date":${view.endDateMs}`;
}

/** The data of a status or cancel answer. */
export function invoiceStatusText(view: InvoiceStatusView): string {
  return `{${statusFields(view)}}`;
}

/** The data of a test payment's answer; `decline_reason` is null unless it was declined. */
export function testPaymentText(
  view: InvoiceStatusView,
  declineReason: DeclineReason | null,
): string {
  return `{${statusFields(view)},"decline_reason":${JSON.stringify(declineReason)}}`;
}
