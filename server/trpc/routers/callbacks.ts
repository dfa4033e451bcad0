import { z } from 'zod';
import { countTry } from '../../auth/throttle.ts';
import { listCallbacks } from '../../callbacks/data.ts';
import { directDelivery } from '../../callbacks/queue/delivery.ts';
import {
  countFailedSince,
  resendCallback,
  resendEach,
  resendFailedSince,
  whyNotQueued,
} from '../../callbacks/resend.ts';
import { MAX_ATTEMPTS } from '../../callbacks/schedule.ts';
import { readExchanges } from '../../callbacks/tools/exchanges.ts';
import { failingHosts } from '../../callbacks/tools/failing-hosts.ts';
import { tryEndpoint } from '../../callbacks/tools/try-endpoint.ts';
import { CALLBACK_KINDS, CALLBACK_STATES, type CallbackView } from '../../callbacks/types.ts';
import { GatewayError } from '../../lib/errors.ts';
import { recordAudit } from '../../merchants/audit.ts';
import { settings } from '../../settings/settings.ts';
import { checkedUrl } from '../../wire/called-url.ts';
import { deedsInWords } from '../deeds.ts';
import { router, staffProcedure } from '../init.ts';
import { bound, instantMs, invoiceId, several, text } from '../inputs.ts';

const host = text(2048).min(1).nullable().default(null);

const list = z.object({
  states: z.array(z.enum(CALLBACK_STATES)).max(3).default([]),
  kind: z.enum(CALLBACK_KINDS).nullable().default(null),
  host,
  /** The first digit of the last answer's HTTP status; 0 for no answer. */
  httpClass: z.int().min(0).max(5).nullable().default(null),
  fromMs: bound,
  untilMs: bound,
  cursor: text(400).nullable().default(null),
  limit: z.int().min(1).max(200).default(50),
});

const failed = z.object({ sinceMs: instantMs, host });
/** Counted back from the server's time: a browser's clock can be wrong. */
const failedHours = z.object({
  hours: z
    .int()
    .min(1)
    .max(31 * 24),
  host,
});

const toDate = (ms: number | null): Date | null => (ms === null ? null : new Date(ms));

const HOUR_MS = 60 * 60 * 1000;
const TEN_MINUTES_MS = 10 * 60 * 1000;
const TEST_LIMIT = { max: 20, windowMs: TEN_MINUTES_MS };
// More than anybody clicks. Each resend is an entry of the audit log, which is kept, and a request
// to the merchant's server.
const RESEND_LIMIT = { max: 120, windowMs: TEN_MINUTES_MS };
const BULK_RESEND_LIMIT = { max: 12, windowMs: TEN_MINUTES_MS };
// Each resend of all reads all undelivered callbacks to the end, whether its caller waits or not.
const RESEND_ALL_LIMIT = { max: 10, windowMs: TEN_MINUTES_MS };

const ofSchedule = (callback: CallbackView) => ({ ...callback, stepCount: MAX_ATTEMPTS });

export const callbacksRouter = router({
  /** A page of the deliveries, the newest first, each with a schedule of `stepCount`. */
  list: staffProcedure('business.read')
    .input(list)
    .query(async ({ ctx, input: { fromMs, untilMs, ...input } }) => {
      const { callbacks, ...page } = await listCallbacks(ctx.db, ctx.tenant, {
        ...input,
        from: toDate(fromMs),
        until: toDate(untilMs),
        now: ctx.now,
      });
      return { ...page, callbacks: callbacks.map(ofSchedule) };
    }),

  /** The hosts with the most recent failures. */
  failingHosts: staffProcedure('business.read').query(({ ctx: { db, tenant, now } }) =>
    failingHosts(db, tenant, { now }),
  ),

  /**
   * One delivery: each attempt's request and answer, with a schedule of `stepCount`. An invoice's id
   * names its notification, an event's the event.
   */
  read: staffProcedure('business.read')
    .input(z.object({ named: invoiceId }))
    .query(async ({ ctx: { db, tenant, now }, input: { named } }) => {
      const found = await readExchanges(db, tenant, named, { now });
      if (!found) throw new GatewayError('callback_not_found');
      return { ...found, callback: ofSchedule(found.callback) };
    }),

  /** Sends a callback once more, now; named as in `read`. */
  resend: staffProcedure('callback.resend')
    .input(z.object({ named: invoiceId }))
    .mutation(async ({ ctx: { db, tenant, actor, now }, input: { named } }) => {
      if (!(await countTry(db, `single resends ${actor.id}`, RESEND_LIMIT, now))) {
        throw new GatewayError('too_many_resends');
      }
      const refusal = whyNotQueued(await resendCallback(db, tenant, named, { actor, now }));
      if (refusal !== null) throw new GatewayError(refusal);
    }),

  /** Sends each of these once more, now, named as in `read`; says of every other why it is not. */
  resendEach: staffProcedure('callback.resend')
    .input(z.object({ names: several(invoiceId) }))
    .mutation(async ({ ctx: { db, tenant, actor, now, inWords }, input: { names } }) => {
      if (!(await countTry(db, `bulk resends ${actor.id}`, BULK_RESEND_LIMIT, now))) {
        throw new GatewayError('too_many_resends');
      }
      return deedsInWords(names, await resendEach(db, tenant, names, { actor, now }), inWords);
    }),

  /**
   * The failures of the last hours by host, as far as they were counted. It precedes
   * `resendFailed`, which sends exactly these if given the returned time.
   */
  countFailedWithin: staffProcedure('callback.resend')
    .input(failedHours)
    .query(async ({ ctx: { db, tenant, now }, input: { hours, host } }) => {
      const sinceMs = now.getTime() - hours * HOUR_MS;
      return {
        sinceMs,
        ...(await countFailedSince(db, tenant, { since: new Date(sinceMs), host, now })),
      };
    }),

  /** Resends everything now that has failed since a time and is not delivered. */
  resendFailed: staffProcedure('callback.resend')
    .input(failed)
    .mutation(async ({ ctx: { db, tenant, actor, now }, input: { sinceMs, host } }) => {
      if (!(await countTry(db, `callback resend ${tenant.merchantId}`, RESEND_ALL_LIMIT, now))) {
        throw new GatewayError('too_many_resends_of_all');
      }
      return await resendFailedSince(db, tenant, { since: new Date(sinceMs), host, actor, now });
    }),

  /**
   * Sends a signed sample of each status to an address and checks its answers against the contract,
   * point by point. Takes up to 20 s.
   */
  tryEndpoint: staffProcedure('callback.test')
    .input(
      z.object({
        url: text(4096).min(1),
        kind: z.enum(CALLBACK_KINDS).default('notification'),
        checkSignature: z.boolean(),
      }),
    )
    .mutation(async ({ ctx: { db, tenant, actor, now }, input: { url: given, ...wanted } }) => {
      const url = checkedUrl(given);
      const { merchantId, environment } = tenant;
      if (!(await countTry(db, `callback test ${merchantId}`, TEST_LIMIT, now))) {
        throw new GatewayError('too_many_tests');
      }
      const { host } = new URL(url);
      const target = { type: 'host', id: host };
      await recordAudit(db, {
        actor,
        now,
        action: 'callback.test',
        merchantId,
        environment,
        target,
      });
      const { sender, keys } = directDelivery(db);
      const { publicUrl } = settings();
      return await tryEndpoint(tenant, { sender, keys, url, publicUrl, now, ...wanted });
    }),
});
