import { z } from 'zod';
import { isDay } from '../../lib/formats.ts';
import { startOfDay } from '../../lib/zone-days.ts';
import { readRegister, sumRegister } from '../../register/data.ts';
import { router, staffProcedure } from '../init.ts';
import { checkRows, rows, text } from '../inputs.ts';
import { noteExport } from '../note-export.ts';

const day = z.string().refine(isDay);

/** A day of the merchant's own calendar, which is the same for everybody who reads it. */
function spanOf(day: string, { timeZone }: { timeZone: string }) {
  const [fromMs, untilMs] = [0, 1].map((later) => startOfDay(day, later, timeZone) ?? 0);
  return { fromMs: fromMs ?? 0, untilMs: untilMs ?? 0 };
}

/** What moved a merchant's money on a day. */
export const registerRouter = router({
  /**
   * A page of a day's payments and refunds, the oldest first; `totals` is what all of the day come to,
   * by currency, where it was requested.
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
      const span = spanOf(day, ctx.merchant);
      const totals = isSummed ? await sumRegister(ctx.db, ctx.tenant, span) : [];
      return { ...(await readRegister(ctx.db, ctx.tenant, span, place)), totals };
    }),

  /** Records that a day's register is exported; called before the file is sent. */
  noteExport: staffProcedure('business.read')
    .input(z.object({ day }))
    .mutation(({ ctx: { db, tenant, actor, now }, input: narrowing }) =>
      noteExport(db, tenant, { action: 'register.export', narrowing, actor, now }),
    ),
});
