import { z } from 'zod';
import { position } from './create-request.ts';
import { amount, anyString, currency } from './fields.ts';

/** The body of a status notification (contract, "Events"); described here for the reference. */
export const invoiceCallbackRequest = z
  .object({
    invoice_id: anyString.meta({ description: "The gateway's id of the invoice" }),
    status: z
      .int()
      .min(1)
      .max(4)
      .meta({ description: 'New status: 2 PAID, 3 EXPIRED, 4 CANCELED' }),
    amount,
    currency,
    description: anyString,
    merchant_transaction_id: anyString,
    positions: z.array(position),
    merchant_data: z
      .record(z.string(), z.unknown())
      .optional()
      .meta({ description: 'Data passed at creation; omitted if there was none' }),
    created_at: z.int().meta({ description: 'Creation time, UTC, milliseconds' }),
    updated_at: z.int().meta({ description: 'Time of the last status change, UTC, milliseconds' }),
    extra_data: z.record(z.string(), z.unknown()).meta({
      description:
        '`provider`, `transaction_id` and `receipt_url` at least once PAID; otherwise {}',
    }),
  })
  .meta({ id: 'InvoiceCallbackRequest' });

/** What a merchant must answer, with HTTP 200, for the notification to count as delivered. */
export const invoiceCallbackResponse = z
  .object({ success: z.literal(true) })
  .meta({ id: 'InvoiceCallbackResponse' });
