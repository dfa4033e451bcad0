import { z } from 'zod';
import { listCallbacks } from '../../callbacks/data.ts';
import { resendFailedSince } from '../../callbacks/resend.ts';
import { CALLBACK_STATES } from '../../callbacks/types.ts';
import { router, staffProcedure } from '../init.ts';

const list = z.object({
  states: z.array(z.enum(CALLBACK_STATES)).max(3).default([]),
  cursor: z.string().max(400).nullable().default(null),
  limit: z.int().min(1).max(200).default(50),
});

const MAX_SINCE_HOURS = 31 * 24;
const HOUR_MS = 60 * 60 * 1000;

export const callbacksRouter = router({
  /** A page of the deliveries, the newest first. */
  list: staffProcedure('invoice.read')
    .input(list)
    .query(({ ctx, input }) => listCallbacks(ctx.db, ctx.tenant, { ...input, now: ctx.now })),

  /** Sends again, now, all that failed within the last hours and are not delivered. */
  resendFailed: staffProcedure('callback.resend')
    .input(z.object({ sinceHours: z.int().min(1).max(MAX_SINCE_HOURS) }))
    .mutation(({ ctx: { db, tenant, actor, now }, input }) =>
      resendFailedSince(db, tenant, {
        since: new Date(now.getTime() - input.sinceHours * HOUR_MS),
        actor,
        now,
      }),
    ),
});
