import { z } from 'zod';
import { GatewayError } from '../../lib/errors.ts';
import { MAX_AMOUNT_MINOR } from '../../lib/money.ts';
import { listRefunds } from '../../refunds/data.ts';
import { requestRefund } from '../../refunds/refund.ts';
import { MAX_REASON_LENGTH, type Refund } from '../../refunds/types.ts';
import { router, staffProcedure } from '../init.ts';
import { invoiceId, text } from '../inputs.ts';

/** A refund as its merchant's staff see it. */
function viewOf({ merchantId: _, environment: __, ...refund }: Refund) {
  return refund;
}

export const refundsRouter = router({
  /**
   * The refunds of an invoice, the oldest first, what is left of its payment, and which refunds its
   * acquirer takes from us.
   */
  list: staffProcedure('invoice.read')
    .input(z.object({ invoiceId }))
    .query(async ({ ctx: { db, tenant }, input }) => {
      const found = await listRefunds(db, tenant, input.invoiceId);
      if (!found) throw new GatewayError('invoice_not_found');
      return { ...found, invoiceId: input.invoiceId, refunds: found.refunds.map(viewOf) };
    }),

  /**
   * Gives the money of a PAID invoice back, or a part of it. The form's key makes a second press
   * refund nothing more.
   */
  create: staffProcedure('refunds.write')
    .input(
      z.object({
        invoiceId,
        formKey: z.uuid(),
        /** Null for all that is left. */
        amountMinor: z.int().min(1).max(Number(MAX_AMOUNT_MINOR)).nullable(),
        reason: text(2 * MAX_REASON_LENGTH)
          .refine((reason) => reason !== '' && [...reason].length <= MAX_REASON_LENGTH)
          .nullable(),
      }),
    )
    .mutation(async ({ ctx: { db, tenant, actor: audit, now }, input }) => {
      const { formKey, amountMinor, reason } = input;
      const wanted = {
        invoiceId: input.invoiceId,
        refundTransactionId: `form-${formKey}`,
        amountMinor: amountMinor === null ? null : BigInt(amountMinor),
        reason,
      };
      const actor = { type: audit.type, id: audit.id };
      const by = { actor, audit, key: null, clock: () => now };
      const begun = await requestRefund(db, tenant, wanted, by);
      if ('refund' in begun) return viewOf(begun.refund);
      const isRepeat = !('refusal' in begun) || begun.refusal.code === 'refund_exists';
      throw isRepeat ? new GatewayError('form_sent_before') : begun.refusal;
    }),
});
