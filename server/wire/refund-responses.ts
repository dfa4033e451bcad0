import { z } from 'zod';
import { type InvoiceRefunds, REFUND_STATUS_CODES, type Refund } from '../refunds/types.ts';
import { amount, anyString, currency } from './fields.ts';

const time = z.int().meta({ description: 'UTC, milliseconds' });

/** A refund as the API shows it. */
export const refundView = z
  .object({
    refund_id: anyString.meta({ description: "The gateway's id of the refund" }),
    invoice_id: anyString.meta({ description: "The gateway's id of the invoice" }),
    refund_transaction_id: anyString
      .nullable()
      .meta({ description: 'The id as supplied; null for a refund that began at the acquirer' }),
    amount,
    currency,
    status: z.int().min(1).max(3).meta({
      description:
        '1 PENDING, 2 SUCCEEDED, 3 FAILED. A refund that succeeded can still fail days later, if the buyer’s bank sends the money back.',
    }),
    reason: anyString
      .nullable()
      .meta({ description: 'The reason as supplied, or as the acquirer told it' }),
    failure_reason: anyString
      .nullable()
      .meta({ description: 'Why it failed, in the acquirer’s words; null otherwise' }),
    created_at: time,
    updated_at: time,
  })
  .meta({ id: 'Refund' });

/** An invoice's refunds with their sums. */
export const refundList = z
  .object({
    refunds: z.array(refundView).meta({ description: 'The oldest first' }),
    refunded_amount: z.int().min(0).meta({
      description: 'The sum of the refunds that are PENDING or SUCCEEDED, in minor units',
    }),
    refundable_amount: z
      .int()
      .min(0)
      .meta({ description: 'What is left of the payment, in minor units; 0 without one' }),
  })
  .meta({ id: 'RefundList' });

function viewOf(refund: Refund): z.infer<typeof refundView> {
  return {
    refund_id: refund.id,
    invoice_id: refund.invoiceId,
    refund_transaction_id: refund.refundTransactionId,
    // An amount is at most 2^53 − 1.
    amount: Number(refund.amountMinor),
    currency: refund.currency,
    status: REFUND_STATUS_CODES[refund.status],
    reason: refund.reason,
    failure_reason: refund.failureReason,
    created_at: refund.createdAtMs,
    updated_at: refund.updatedAtMs,
  };
}

/** The data of a refund's answer. */
export function refundText(refund: Refund): string {
  return JSON.stringify(viewOf(refund));
}

/** The data of the answer that lists an invoice's refunds. */
export function refundListText({
  refunds,
  refundedMinor,
  refundableMinor,
}: Pick<InvoiceRefunds, 'refunds' | 'refundedMinor' | 'refundableMinor'>): string {
  const list: z.infer<typeof refundList> = {
    refunds: refunds.map(viewOf),
    refunded_amount: Number(refundedMinor),
    refundable_amount: Number(refundableMinor),
  };
  return JSON.stringify(list);
}
