import { z } from 'zod';
import { MAX_REASON_LENGTH, type NewRefund } from '../refunds/types.ts';
import { amount, merchantTransactionId, requiredId, text } from './fields.ts';
import { parseBody } from './invoice-requests.ts';
import type { Validated } from './validation.ts';

/** The body of a refund. */
export const refundRequest = z
  .object({
    invoice_id: requiredId.meta({ description: "The gateway's id of the PAID invoice" }),
    refund_transaction_id: merchantTransactionId.meta({
      description:
        'Unique within the merchant and environment, compared exactly; no control characters. A repeat gets a 409.',
    }),
    amount: amount.nullish().meta({
      description:
        'Minor units of the invoice’s currency; if omitted, everything that is left is refunded',
    }),
    reason: text(1, MAX_REASON_LENGTH).nullish().meta({
      description:
        'It comes back as supplied, and acquirers may see it. In the sandbox `test:fail` fails, and `test:pending` stays PENDING for 5 seconds.',
    }),
  })
  .meta({ id: 'RefundRequest' });

/** Reads a refund's body; optional fields that are null count as absent. */
export function parseRefundRequest(
  bytes: Uint8Array,
  contentType: string | null,
): Validated<NewRefund> {
  const parsed = parseBody(refundRequest, bytes, contentType, { exact: ['amount'] });
  if (!parsed.ok) return parsed;
  const { value } = parsed;
  return {
    ok: true,
    value: {
      invoiceId: value.invoice_id,
      refundTransactionId: value.refund_transaction_id,
      amountMinor: value.amount == null ? null : BigInt(value.amount),
      reason: value.reason ?? null,
    },
  };
}
