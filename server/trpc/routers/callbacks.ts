import { z } from 'zod';
import { listCallbacks } from '../../callbacks/data.ts';
import { readExchanges } from '../../callbacks/exchanges.ts';
import { failingHosts } from '../../callbacks/failing-hosts.ts';
import { countFailedSince, resendFailedSince } from '../../callbacks/resend.ts';
import { CALLBACK_STATES } from '../../callbacks/types.ts';
import { GatewayError } from '../../lib/errors.ts';
import { router, staffProcedure } from '../init.ts';

const MAX_MS = 8_640_000_000_000_000;
const instantMs = z.int().min(0).max(MAX_MS);
const host = z.string().min(1).max(2048).nullable().default(null);

const list = z.object({
  states: z.array(z.enum(CALLBACK_STATES)).max(3).default([]),
  host,
  /** First digit of the last answer's HTTP status; 0 for no answer. */
  httpClass: z.int().min(0).max(5).nullable().default(null),
  fromMs: instantMs.nullable().default(null),
  untilMs: instantMs.nullable().default(null),
  cursor: z.string().max(400).nullable().default(null),
  limit: z.int().min(1).max(200).default(50),
});

const failed = z.object({ sinceMs: instantMs, host });

const toDate = (ms: number | null): Date | null => (ms === null ? null : new Date(ms));

export const callbacksRouter = router({
  /** A page of the deliveries, the newest first. */
  list: staffProcedure('invoice.read')
    .input(list)
    .query(({ ctx, input: { fromMs, untilMs, ...input } }) =>
      listCallbacks(ctx.db, ctx.tenant, {
        ...input,
        from: toDate(fromMs),
        until: toDate(untilMs),
        now: ctx.now,
      }),
    ),

  /** Who fails most, of late. */
  failingHosts: staffProcedure('invoice.read').query(({ ctx: { db, tenant, now } }) =>
    failingHosts(db, tenant, { now }),
  ),

  /** One delivery: what was sent and what came back, attempt by attempt. */
  read: staffProcedure('invoice.read')
    .input(z.object({ invoiceId: z.string().min(1).max(255) }))
    .query(async ({ ctx: { db, tenant, now }, input: { invoiceId } }) => {
      const found = await readExchanges(db, tenant, invoiceId, { now });
      if (!found) throw new GatewayError('not_found', 'There is no callback.');
      return found;
    }),

  /** What `resendFailed` would send, by host: for the question before it. */
  countFailed: staffProcedure('callback.resend')
    .input(failed)
    .query(({ ctx: { db, tenant, now }, input: { sinceMs, host } }) =>
      countFailedSince(db, tenant, { since: new Date(sinceMs), host, now }),
    ),

  /** Sends again, now, all that failed since a time and are not delivered. */
  resendFailed: staffProcedure('callback.resend')
    .input(failed)
    .mutation(({ ctx: { db, tenant, actor, now }, input: { sinceMs, host } }) =>
      resendFailedSince(db, tenant, { since: new Date(sinceMs), host, actor, now }),
    ),
});
