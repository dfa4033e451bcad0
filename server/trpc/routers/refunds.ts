import { z } from 'zod';
import { MAX_AMOUNT_MINOR } from '../../lib/money.ts';
import { refundByStaff } from '../../refunds/refund-by-staff.ts';
import { MAX_REASON_LENGTH } from '../../refunds/types.ts';
import { router, staffProcedure } from '../init.ts';
import { invoiceId, text } from '../inputs.ts';

const isShort = (reason: string) => Array.from(reason).length <= MAX_REASON_LENGTH;

export const refundsRouter = router({
  /** Refunds a paid invoice, whole or in part; a repetition of the same form refunds nothing more. */
  create: staffProcedure('refunds.write')
    .input(
      z.object({
        formKey: z.uuid(),
        invoiceId,
        amountMinor: z.int().min(1).max(Number(MAX_AMOUNT_MINOR)),
        reason: text(2 * MAX_REASON_LENGTH)
          .min(1)
          .refine(isShort)
          .nullable(),
      }),
    )
    .mutation(async ({ ctx: { db, tenant, actor, now }, input }) => {
      const wanted = { ...input, amountMinor: BigInt(input.amountMinor) };
      const { status, failureReason } = await refundByStaff(db, tenant, wanted, {
        actor,
        clock: () => now,
      });
      return { status, failureReason };
    }),
});
