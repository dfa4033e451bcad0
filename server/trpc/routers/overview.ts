import { z } from 'zod';
import { ATTENTION_COUNTED_TO, countExhausted } from '../../callbacks/tools/attention.ts';
import { dayOf, shiftedDay, spanOfDay } from '../../lib/zone-days.ts';
import { sumByCreation } from '../../register/by-creation.ts';
import { sumRegisters } from '../../register/data.ts';
import { sumByPayment } from '../../register/days.ts';
import { router, staffProcedure } from '../init.ts';
import { instantMs } from '../inputs.ts';

const MAX_DAYS = 366;

// Ascending: otherwise each span could be the whole history, counted anew. Equal edges are a day
// without length.
const edges = z
  .array(instantMs)
  .min(4)
  // Where the days before begin and end, and one more edge than days.
  .max(MAX_DAYS + 3)
  .refine((all) => all.every((ms, index) => index === 0 || ms >= (all[index - 1] ?? ms)));

export const overviewRouter = router({
  /**
   * What came and went today and yesterday in the merchant's zone, by currency; yesterday also up to
   * the same time of day, to compare with.
   */
  today: staffProcedure('business.read').query(async ({ ctx: { db, tenant, merchant, now } }) => {
    const { timeZone } = merchant;
    const nowMs = now.getTime();
    const today = dayOf(nowMs, timeZone);
    const yesterday = shiftedDay(today, -1);
    const [day, before] = [spanOfDay(today, timeZone), spanOfDay(yesterday, timeZone)];
    const sameTimeMs = Math.min(before.untilMs, before.fromMs + nowMs - day.fromMs);
    const [ofToday = [], ofYesterday = [], soFar = []] = await sumRegisters(db, tenant, [
      day,
      before,
      { fromMs: before.fromMs, untilMs: sameTimeMs },
    ]);
    const exhausted = await countExhausted(db, tenant);
    return {
      /** How many callbacks have used up their attempts. */
      exhausted,
      exhaustedIsMore: exhausted >= ATTENTION_COUNTED_TO,
      today: { day: today, totals: ofToday },
      yesterday: { day: yesterday, totals: ofYesterday },
      /** Yesterday's until the time of day that it is now. */
      soFar: { untilMs: sameTimeMs, totals: soFar },
    };
  }),

  /**
   * What was paid and given back by day, and in the days before them as one span. `edgesMs` are where
   * the days before begin and end, where each day begins and the last one ends. By payment, money
   * counts on the day on which it moved; by creation, on that of its invoice.
   */
  chart: staffProcedure('business.read')
    .input(z.object({ edgesMs: edges, by: z.enum(['paid', 'created']) }))
    .query(async ({ ctx: { db, tenant }, input: { edgesMs, by } }) => {
      const sum = by === 'paid' ? sumByPayment : sumByCreation;
      const [before = [], , ...days] = await sum(db, tenant, edgesMs);
      return { before, days };
    }),
});
