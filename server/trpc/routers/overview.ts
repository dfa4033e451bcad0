import { z } from 'zod';
import { ATTENTION_COUNTED_TO, countExhausted } from '../../callbacks/tools/attention.ts';
import { medianTimeToPay, readSpans } from '../../invoices/lists/overview.ts';
import { sumRefunds } from '../../refunds/data.ts';
import { router, staffProcedure } from '../init.ts';
import { instantMs } from '../inputs.ts';

const MAX_DAYS = 366;

// Ascending: otherwise each span could be the whole history, counted anew. Equal edges are a day
// without length.
const edges = z
  .array(instantMs)
  .min(2)
  .max(MAX_DAYS + 1)
  .refine((all) => all.every((ms, index) => index === 0 || ms >= (all[index - 1] ?? ms)));

export const overviewRouter = router({
  /**
   * The results of the invoices created on some days, and on as many days before. Both are given by
   * where days begin and the last one ends, in milliseconds.
   */
  read: staffProcedure('business.read')
    .input(z.object({ edgesMs: edges, beforeEdgesMs: edges }))
    .query(async ({ ctx: { db, tenant }, input: { edgesMs, beforeEdgesMs } }) => {
      const ends = (all: number[]) => ({ fromMs: all[0] ?? 0, untilMs: all.at(-1) ?? 0 });
      // One after the other: all at once would take connections that the API waits for.
      const days = await readSpans(db, tenant, edgesMs);
      const refunded = await sumRefunds(db, tenant, edgesMs);
      const daysBefore = await readSpans(db, tenant, beforeEdgesMs);
      const medianMs = await medianTimeToPay(db, tenant, ends(edgesMs));
      const medianBeforeMs = await medianTimeToPay(db, tenant, ends(beforeEdgesMs));
      const exhausted = await countExhausted(db, tenant);
      return {
        days: days.map((day, index) => ({
          ...day,
          volumes: day.volumes.map((volume) => ({
            ...volume,
            refundedMinor: refunded[index]?.get(volume.currency) ?? 0n,
          })),
        })),
        daysBefore,
        medianMs,
        medianBeforeMs,
        exhausted,
        exhaustedIsMore: exhausted >= ATTENTION_COUNTED_TO,
      };
    }),
});
