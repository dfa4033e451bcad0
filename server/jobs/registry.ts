import type pg from 'pg';
import { cleanUpLeases } from '../callbacks/queue/claim.ts';
import { deliveryContext } from '../callbacks/queue/delivery.ts';
import { runPump } from '../callbacks/queue/pump-runs.ts';
import { isClockRight } from '../db/clock-offset.ts';
import { EXPIRY_SET, expireDueInvoices } from '../invoices/expire.ts';
import { indexInvoices } from '../invoices/finding/index-invoices.ts';
import { sumClosedHours, sumLateInvoices } from '../invoices/lists/hours.ts';
import { traced } from '../lib/tracing.ts';
import { mailRoute } from '../mail/send.ts';
import { cleanUpApiRequests } from '../merchants/api-requests.ts';
import { lookAtStates } from '../notices/found-states.ts';
import { cleanUpNotices } from '../notices/outbox.ts';
import { sendNotices } from '../notices/send-notices.ts';
import { readTelegramUpdates } from '../notices/telegram/read-updates.ts';
import { watchMerchants } from '../notices/watch.ts';
import { log } from '../observability/log.ts';
import { endOverdueImpersonation } from '../operating/impersonation.ts';
import { askDownAccounts } from '../payments/accounts/accounts.ts';
import { compareDueBooks } from '../payments/books/run.ts';
import { recoverPayments } from '../payments/recover.ts';
import { sendReceiptEmails } from '../receipts/send-receipts.ts';
import { recoverRefunds } from '../refunds/recover.ts';
import { sendRegisters } from '../register/send.ts';
import { settings } from '../settings/settings.ts';
import {
  cleanUpEvents,
  cleanUpForwards,
  cleanUpIdempotencyKeys,
  cleanUpSignIns,
  cleanUpThrottles,
} from './clean-up.ts';

export type JobInput = {
  db: pg.Pool;
  /** The start of the run. */
  now: Date;
  /** For jobs that take long. */
  clock: () => Date;
  limit: number;
};

type AnyJob = {
  id: string;
  /** The interval of its own looks. */
  everyMs: number;
  /** The limit of one run. A full run is followed by another. */
  limit: number;
  /** Resolves to the amount of work. */
  run(input: JobInput): Promise<{ count: number }>;
};

/**
 * A kind of due work, for any driver. Rows hold the due work and every claim is guarded, so that a
 * job may run anywhere, at any time, more than once.
 */
export type Job = AnyJob & { id: (typeof PLAIN_JOBS)[number]['id'] };

const MINUTE_MS = 60_000;

/** A wrong clock begins nothing: the run takes nothing. */
function byRightClock(job: Job): Job {
  const run = async (input: JobInput) =>
    (await isClockRight(input.db)) ? job.run(input) : { count: 0 };
  return { ...job, run };
}

/** Each run that found work is a span if traces are on; others would show nothing. */
function tracedJob(job: Job): Job {
  const run = (input: JobInput) =>
    traced(
      () => ({ name: `job ${job.id}` }),
      async (span) => {
        const result = await job.run(input);
        if (result.count === 0) span?.drop();
        else span?.set({ 'gateway.count': result.count });
        return result;
      },
    );
  return { ...job, run };
}

const PLAIN_JOBS = [
  {
    id: 'expireDueInvoices',
    // An invoice is EXPIRED within a second of its end date.
    everyMs: 250,
    limit: EXPIRY_SET,
    run: async ({ db, now, limit }) => {
      const { expired } = await expireDueInvoices(db, { now, limit });
      return { count: expired };
    },
  },
  {
    // For drivers that work in runs; the embedded one has the pump itself.
    id: 'deliverDueCallbacks',
    everyMs: 1_000,
    limit: Number.POSITIVE_INFINITY,
    run: ({ db, clock }) => {
      const context = deliveryContext(db, (err) => log().error({ err }, 'delivering callbacks'));
      return runPump({ ...context, clock });
    },
  },
  {
    id: 'recoverPayments',
    everyMs: 1_000,
    limit: 50,
    run: async ({ db, clock, limit }) => {
      const [payments, refunds] = await Promise.all([
        recoverPayments(db, { clock, limit }),
        recoverRefunds(db, { clock, limit }),
      ]);
      for (const err of payments.errors) log().error({ err }, 'recovering a payment');
      for (const err of refunds.errors) log().error({ err }, 'recovering a refund');
      const count = (of: typeof payments) => of.recovered + of.failed;
      return { count: Math.max(count(payments), count(refunds)) };
    },
  },
  {
    id: 'sendReceiptEmails',
    everyMs: 2_000,
    limit: 10,
    run: async ({ db, clock, limit }) => ({
      count: await sendReceiptEmails(db, { clock, limit, route: mailRoute() }),
    }),
  },
  {
    // One after the other: a day's files are made in memory.
    id: 'sendRegisters',
    everyMs: MINUTE_MS,
    limit: 5,
    run: async ({ db, clock, limit }) => ({
      count: await sendRegisters(db, { clock, limit, route: mailRoute() }),
    }),
  },
  {
    id: 'askDownAccounts',
    everyMs: MINUTE_MS,
    limit: 50,
    run: async ({ db, now, limit }) => ({ count: await askDownAccounts(db, { now, limit }) }),
  },
  {
    // Each account once a day: few at a time, one after the other.
    id: 'compareBooks',
    everyMs: MINUTE_MS,
    limit: 20,
    run: async ({ db, clock, limit }) => ({ count: await compareDueBooks(db, { clock, limit }) }),
  },
  {
    // One run looks at every merchant with news.
    id: 'findNotices',
    everyMs: MINUTE_MS,
    limit: Number.POSITIVE_INFINITY,
    run: async ({ db, now }) => {
      await lookAtStates(db, { now });
      return { count: await watchMerchants(db, { now }) };
    },
  },
  {
    id: 'sendNotices',
    everyMs: 2_000,
    limit: 20,
    run: async ({ db, clock, limit }) => {
      const { telegram: bot, publicUrl } = settings();
      const channels = { route: mailRoute(), bot, publicUrl };
      return { count: await sendNotices(db, { ...channels, clock, limit }) };
    },
  },
  {
    // Somebody waits at the page until the bot has their code.
    id: 'readTelegramUpdates',
    everyMs: 2_000,
    limit: Number.POSITIVE_INFINITY,
    run: async ({ db, now }) => ({
      count: await readTelegramUpdates(db, { bot: settings().telegram, now }),
    }),
  },
  {
    id: 'cleanUpNotices',
    everyMs: MINUTE_MS,
    limit: 1_000,
    run: async (input) => ({ count: await cleanUpNotices(input.db, input) }),
  },
  {
    id: 'cleanUpIdempotencyKeys',
    everyMs: MINUTE_MS,
    limit: 1_000,
    run: async (input) => ({ count: await cleanUpIdempotencyKeys(input.db, input) }),
  },
  {
    id: 'cleanUpApiRequests',
    everyMs: MINUTE_MS,
    limit: 5_000,
    run: async (input) => ({ count: await cleanUpApiRequests(input.db, input) }),
  },
  {
    id: 'cleanUpEvents',
    everyMs: MINUTE_MS,
    limit: 5_000,
    run: async (input) => ({ count: await cleanUpEvents(input.db, input) }),
  },
  {
    id: 'cleanUpLeases',
    everyMs: MINUTE_MS,
    limit: 1_000,
    run: async (input) => {
      const leases = await cleanUpLeases(input.db, input);
      const forwards = await cleanUpForwards(input.db, input);
      return { count: Math.max(leases, forwards) };
    },
  },
  {
    id: 'cleanUpThrottles',
    everyMs: MINUTE_MS,
    limit: 1_000,
    run: async (input) => ({ count: await cleanUpThrottles(input.db, input) }),
  },
  {
    id: 'cleanUpSignIns',
    everyMs: MINUTE_MS,
    limit: 1_000,
    run: async (input) => ({ count: await cleanUpSignIns(input.db, input) }),
  },
  {
    id: 'endOverdueImpersonation',
    everyMs: MINUTE_MS,
    limit: 1_000,
    run: async (input) => ({ count: await endOverdueImpersonation(input.db, input) }),
  },
  {
    id: 'sumClosedHours',
    everyMs: MINUTE_MS,
    // The limit is in hours: few at a time, so that nothing waits long for a statement.
    limit: 6,
    run: async ({ db, now, limit }) => ({ count: await sumClosedHours(db, { now, limit }) }),
  },
  {
    // The search looks at what waits for it one by one. The limit is in blocks of 4,096 invoices.
    id: 'indexInvoices',
    everyMs: 10_000,
    limit: 3,
    run: async ({ db, now, limit }) => ({ count: await indexInvoices(db, { now, limit }) }),
  },
  {
    id: 'sumLateInvoices',
    everyMs: MINUTE_MS,
    limit: 1_000,
    run: async ({ db, now, limit }) => ({ count: await sumLateInvoices(db, { now, limit }) }),
  },
] as const satisfies readonly AnyJob[];

export const JOBS: readonly Job[] = PLAIN_JOBS.map(byRightClock).map(tracedJob);
