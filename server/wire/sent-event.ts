import { z } from 'zod';
import { amount, anyString, currency } from './fields.ts';

const timestamp = z.iso
  .datetime({ precision: 3 })
  .meta({ description: 'When it happened: ISO 8601, UTC, with milliseconds' });

/** An event about an invoice, as it is sent to an address; described here for the reference. */
export const invoiceEvent = z
  .object({
    type: z.enum(['invoice.paid', 'invoice.expired', 'invoice.canceled', 'callback.exhausted']),
    timestamp,
    data: z.object({
      invoice_id: anyString,
      merchant_transaction_id: anyString,
      status: z
        .int()
        .min(1)
        .max(4)
        .meta({ description: 'As the event left it: 2 PAID, 3 EXPIRED, 4 CANCELED' }),
      amount,
      currency,
      extra_data: z.record(z.string(), z.unknown()).meta({
        description:
          'On PAID `provider`, `transaction_id` and `receipt_url` at least; otherwise {}',
      }),
    }),
  })
  .meta({ id: 'InvoiceEvent' });

/** An event about a refund, as it is sent to an address; described here for the reference. */
export const refundEvent = z
  .object({
    type: z.enum(['refund.created', 'refund.succeeded', 'refund.failed']),
    timestamp,
    data: z.object({
      invoice_id: anyString,
      refund_id: anyString,
      refund_transaction_id: anyString
        .nullable()
        .meta({ description: 'As supplied; null for a refund that began at the acquirer' }),
      status: z
        .int()
        .min(1)
        .max(3)
        .meta({ description: 'As the event left it: 1 PENDING, 2 SUCCEEDED, 3 FAILED' }),
      amount,
      currency,
      reason: anyString.nullable(),
      failure_reason: anyString
        .nullable()
        .meta({ description: 'Why it failed, in the acquirer’s words; null otherwise' }),
    }),
  })
  .meta({ id: 'RefundEvent' });
