import { z } from 'zod';
import { dayOf, shiftedDay, spanOfDay } from '../../lib/zone-days.ts';
import { acknowledge, unacknowledge } from '../../overview/acknowledge.ts';
import { sumByCreation } from '../../overview/by-creation.ts';
import { readCauses } from '../../overview/causes.ts';
import { dismissChecklist, readChecklist } from '../../overview/checklist.ts';
import { latestPayments } from '../../overview/latest.ts';
import { readOutcomes } from '../../overview/outcomes.ts';
import { CAUSE_KINDS } from '../../overview/types.ts';
import { sumRegisters } from '../../register/data.ts';
import { sumByPayment } from '../../register/days.ts';
import { router, staffProcedure } from '../init.ts';
import { bound, instantMs, text } from '../inputs.ts';

const MAX_DAYS = 366;

// Ascending: otherwise each span could be the whole history, counted anew. Equal edges are a day
// without length.
const edges = z
  .array(instantMs)
  .min(4)
  // Where the days before begin and end, and one more edge than days.
  .max(MAX_DAYS + 3)
  .refine((all) => all.every((ms, index) => index === 0 || ms >= (all[index - 1] ?? ms)));

/** The kind of a cause, and the account that it is about where a kind has several. */
const cause = text(300).refine((name) =>
  (CAUSE_KINDS as readonly string[]).includes(name.split(' ')[0] ?? ''),
);

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
    return {
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

  /** The payments that came in last. */
  latest: staffProcedure('business.read').query(({ ctx: { db, tenant } }) =>
    latestPayments(db, tenant),
  ),

  /** How far the buyers of the invoices created then came, and why payments failed. */
  outcomes: staffProcedure('business.read')
    .input(z.object({ fromMs: instantMs, untilMs: instantMs }))
    .query(({ ctx: { db, tenant }, input }) => readOutcomes(db, tenant, input)),

  /** What a new merchant has done on its way to a first real payment; null after that. */
  checklist: staffProcedure('business.read').query(({ ctx: { db, tenant, actor } }) =>
    readChecklist(db, tenant.merchantId, actor.id),
  ),

  /** Puts that list away for everybody. */
  dismissChecklist: staffProcedure('attention.acknowledge').mutation(
    ({ ctx: { db, tenant, actor, now } }) =>
      dismissChecklist(db, tenant.merchantId, { userId: actor.id, now }),
  ),

  /** What waits for somebody of the merchant, and what of it was seen by whom. */
  causes: staffProcedure('business.read').query(({ ctx: { db, tenant, now } }) =>
    readCauses(db, tenant, { now }),
  ),

  /** Notes that somebody has seen a cause as their page shows it. */
  acknowledge: staffProcedure('attention.acknowledge')
    .input(z.object({ cause, count: z.int().min(0).max(1_000), newestAtMs: bound }))
    .mutation(({ ctx: { db, tenant, actor, now }, input }) =>
      acknowledge(db, tenant, input, { userId: actor.id, now }),
    ),

  /** It waits again. */
  unacknowledge: staffProcedure('attention.acknowledge')
    .input(z.object({ cause }))
    .mutation(({ ctx: { db, tenant }, input }) => unacknowledge(db, tenant, input.cause)),
});
