import { Inngest } from 'inngest';
import type pg from 'pg';
import { RUN_BUDGET_MS } from '../../callbacks/queue/pump-runs.ts';
import { log } from '../../observability/log.ts';
import { settings } from '../../settings/settings.ts';
import { JOBS, type Job } from '../registry.ts';
import { drain } from './drain.ts';
import { boundedLog } from './log.ts';
import { countRun } from './runs.ts';

export const APP_ID = 'payment-gateway';

/** The time limit of a registration. */
export const REGISTER_TIMEOUT_MS = 8_000;

/** The gateway's address for Inngest, also registered with it. */
export const INNGEST_PATH = '/api/inngest';

/**
 * The event functions. An event only says that something is due; the guarded claim decides what. A
 * repeated, late or needless event does no harm.
 *
 * One run takes all due work, not just its event's rows. Inngest's own `batchEvents` would gather
 * events into runs as well, but in tests it began no sooner than 1.8 s after the event, ignored a
 * future `ts` and accepted an event id twice; the relay gathers rows before it sends instead.
 */
const EVENT_FUNCTIONS = [
  { id: 'expire-invoices', event: 'gateway/invoices.due', jobId: 'expireDueInvoices' },
  { id: 'deliver-callbacks', event: 'gateway/callbacks.due', jobId: 'deliverDueCallbacks' },
  { id: 'recover-payments', event: 'gateway/payments.due', jobId: 'recoverPayments' },
] as const;

export type DueEventName = (typeof EVENT_FUNCTIONS)[number]['event'];

// The safety net for when no worker relays: Inngest's cron has no finer step.
const SWEEP_CRON = '* * * * *';

/** Jobs whose work makes callbacks due. */
const FINISHES_INVOICES = new Set<Job['id']>(['expireDueInvoices', 'recoverPayments']);

function kebab(id: string): string {
  return id.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

const sweepId = (job: Job): string => `sweep-${kebab(job.id)}`;

/** The functions that Inngest runs each minute, whatever is due. */
export const SWEEP_IDS: readonly string[] = JOBS.map(sweepId);
export const FUNCTION_IDS: readonly string[] = [
  ...EVENT_FUNCTIONS.map(({ id }) => id),
  ...SWEEP_IDS,
];

export type RunContext = { db: () => pg.Pool; clock: () => Date };

/** The client, configured by Inngest's own variables; in production it checks every signature. */
export function createClient(): Inngest {
  const production = settings().isProduction;
  return new Inngest({
    id: APP_ID,
    ...(production ? { isDev: false } : {}),
    // No function has steps to check in.
    checkpointing: false,
    logger: boundedLog(log()),
    // A registration is its only request here; it has no time limit of its own.
    fetch: (input, init) =>
      fetch(input, { ...init, signal: AbortSignal.timeout(REGISTER_TIMEOUT_MS) }),
  });
}

function jobWith(id: Job['id']): Job {
  const job = JOBS.find((candidate) => candidate.id === id);
  if (!job) throw new Error(`no job ${id}`);
  return job;
}

/**
 * The functions that `/api/inngest` serves: one for each event, and a sweep each minute for each
 * job of the registry.
 *
 * Inngest never retries them: a failed run left its rows due, and the relay's next event or the
 * sweep takes them; retries of callbacks follow our schedule.
 */
export function createJobFunctions(client: Inngest, { db, clock }: RunContext) {
  const run = async (functionId: string, job: Job) => {
    const options = { db: db(), clock, budgetMs: RUN_BUDGET_MS };
    // The count comes before the work: a failed run is Inngest's all the same.
    await countRun(options.db, functionId);
    const result = await drain(job, options);
    // This is quicker than the relay, and works even without a worker.
    if (result.count > 0 && FINISHES_INVOICES.has(job.id)) {
      await drain(jobWith('deliverDueCallbacks'), options);
    }
    return result;
  };
  const onEvent = EVENT_FUNCTIONS.map(({ id, event, jobId }) =>
    client.createFunction({ id, retries: 0, triggers: [{ event }] }, () => run(id, jobWith(jobId))),
  );
  const sweeps = JOBS.map((job) => {
    const id = sweepId(job);
    return client.createFunction({ id, retries: 0, triggers: [{ cron: SWEEP_CRON }] }, () =>
      run(id, job),
    );
  });
  return [...onEvent, ...sweeps];
}
