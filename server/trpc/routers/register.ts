import { z } from 'zod';
import { isDay } from '../../lib/formats.ts';
import { spanOfDay } from '../../lib/zone-days.ts';
import { readRegister, sumRegister } from '../../register/data.ts';
import { getsRegister, switchRegister } from '../../register/subscription.ts';
import { router, staffProcedure } from '../init.ts';
import { checkRows, rows, text } from '../inputs.ts';
import { noteExport } from '../note-export.ts';

const day = z.string().refine(isDay);

/** What moved a merchant's money on a day. */
export const registerRouter = router({
  /**
   * A page of a day's payments and refunds, the oldest first; `totals` is what all of the day come to,
   * by currency, where it was requested. `isEmailed` tells whether
   * the reader gets the register each morning; null for an operator, who is no member.
   */
  page: staffProcedure('business.read')
    .input(
      z.object({
        day,
        cursor: text(300).nullable().default(null),
        limit: rows,
        isSummed: z.boolean().default(false),
      }),
    )
    .query(async ({ ctx, input: { day, isSummed, ...place } }) => {
      checkRows(ctx, place.limit);
      const { id: userId } = ctx.actor;
      const isEmailed = await getsRegister(ctx.db, ctx.tenant, userId);
      const span = spanOfDay(day, ctx.merchant.timeZone);
      const totals = isSummed ? await sumRegister(ctx.db, ctx.tenant, span) : [];
      return { ...(await readRegister(ctx.db, ctx.tenant, span, place)), totals, isEmailed };
    }),

  /** Sends the register to the reader each morning, or no longer. */
  email: staffProcedure('register.email')
    .input(z.object({ isOn: z.boolean() }))
    .mutation(({ ctx: { db, tenant, actor, now, merchant }, input: { isOn } }) =>
      switchRegister(db, tenant, { userId: actor.id, isOn, timeZone: merchant.timeZone, now }),
    ),

  /** Records that a day's register is exported; called before the file is sent. */
  noteExport: staffProcedure('business.read')
    .input(z.object({ day }))
    .mutation(({ ctx: { db, tenant, actor, now }, input: narrowing }) =>
      noteExport(db, tenant, { action: 'register.export', narrowing, actor, now }),
    ),
});
