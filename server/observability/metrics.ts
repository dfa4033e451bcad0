import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { processWide } from '../lib/process-wide.ts';
import { RequestTimes } from './request-times.ts';
import type { ProcessReport } from './web-messages.ts';

// The metrics of this process for Prometheus. Operators build on their names and labels:
// public/operating holds a dashboard and alert rules that use them.

/** What can be refused. */
export const REFUSED = [
  'password',
  'provider',
  'code',
  'recovery_code',
  'proof',
  'link',
  'token',
  'permission',
  'payment',
] as const;
export type RefusedWhat = (typeof REFUSED)[number];

/** Counts refused sign-ins and actions, and attacks on many accounts. */
function refusalCounters(registers: Registry[]) {
  const refusals = new Counter({
    name: 'gateway_refusals_total',
    help: 'What this process refused: passwords, providers, codes, recovery codes, proofs of who is signed in, links of e-mails, tokens, permissions, payments (from addresses of which too many were declined); refused or throttled (too many tries)',
    labelNames: ['what', 'outcome'] as const,
    registers,
  });
  for (const what of REFUSED) {
    for (const outcome of ['refused', 'throttled']) refusals.inc({ what, outcome }, 0);
  }
  const sprays = new Counter({
    name: 'gateway_password_sprays_total',
    help: 'Addresses from which this process saw wrong passwords of ten accounts within a quarter of an hour',
    registers,
  });
  return { refusals, sprays };
}

/** Buyers' choices of an acquirer, the calls that follow, and attempts that are recovered. */
function acquirerMetrics(registers: Registry[]) {
  return {
    recoveries: new Counter({
      name: 'gateway_recoveries_total',
      help: 'Payment attempts that recovery took up in this process: recovered, failed',
      labelNames: ['outcome'] as const,
      registers,
    }),
    paymentStarts: new Counter({
      name: 'gateway_payment_starts_total',
      help: 'Buyers who chose an acquirer at this process: elsewhere (sent to it), refused (nothing was begun), unknown (its answer was lost), in_progress',
      labelNames: ['provider', 'outcome'] as const,
      registers,
    }),
    acquirerCalls: new Histogram({
      name: 'gateway_acquirer_call_seconds',
      help: 'Calls of this process to acquirers, by what was asked: answered, failed (no answer, or 5xx)',
      labelNames: ['provider', 'operation', 'outcome'] as const,
      buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15],
      registers,
    }),
  };
}

function createMetrics() {
  const registry = new Registry();
  const registers = [registry];
  const callbackAttempts = {
    sandbox: { delivered: 0, failed: 0, exhausted: 0 },
    production: { delivered: 0, failed: 0, exhausted: 0 },
  };
  new Counter({
    name: 'gateway_callback_attempts_total',
    help: 'Attempts of callbacks by this process: delivered, exhausted (given up), failed (others)',
    labelNames: ['environment', 'outcome'] as const,
    registers,
    collect() {
      for (const environment of ['sandbox', 'production'] as const) {
        const counts = callbackAttempts[environment];
        for (const outcome of ['delivered', 'failed', 'exhausted'] as const) {
          this.inc({ environment, outcome }, counts[outcome]);
          counts[outcome] = 0;
        }
      }
    },
  });
  const emails = new Counter({
    name: 'gateway_letters_total',
    help: 'E-mails of this process: sent, failed (given up), refused (the recipient, for good)',
    labelNames: ['outcome'] as const,
    registers,
  });
  // An alert sees the first failure only if the count was 0 before.
  for (const outcome of ['sent', 'failed', 'refused']) emails.inc({ outcome }, 0);
  const signIns = new Counter({
    name: 'gateway_sign_ins_total',
    help: 'Steps of sign-ins at this process (password, provider, code): passed, refused, throttled (too many tries)',
    labelNames: ['step', 'outcome'] as const,
    registers,
  });
  for (const step of ['password', 'provider', 'code']) {
    for (const outcome of ['passed', 'refused', 'throttled']) signIns.inc({ step, outcome }, 0);
  }
  collectDefaultMetrics({ register: registry });
  return {
    registry,
    requests: new RequestTimes(),
    pages: new Histogram({
      name: 'gateway_page_duration_seconds',
      help: 'Pages, forms and what they ask for, by area (pay: what buyers see) and status',
      labelNames: ['area', 'status'] as const,
      buckets: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
      registers,
    }),
    /** Collects from this process and those that share its port, where there are any. */
    collect: null as (() => Promise<ProcessReport[]>) | null,
    /** Attempts since the last reading of the registry, which adds them to its counter. */
    callbackAttempts,
    emails,
    signIns,
    ...refusalCounters(registers),
    payments: new Counter({
      name: 'gateway_payments_total',
      help: 'Payment attempts that came to an end in this process: paid, declined, voided',
      labelNames: ['outcome'] as const,
      registers,
    }),
    expired: new Counter({
      name: 'gateway_invoices_expired_total',
      help: 'Invoices that this process expired by the clock',
      registers,
    }),
    ...acquirerMetrics(registers),
    clockOffset: new Gauge({
      name: 'gateway_clock_offset_seconds',
      help: 'How far the clock of this process is ahead of the database’s; below 0: behind',
      registers,
    }),
    pool: new Gauge({
      name: 'gateway_db_pool_connections',
      help: 'Connections of this process to PostgreSQL: max, open, idle; and callers that wait',
      labelNames: ['state'] as const,
      registers,
    }),
  };
}

type Metrics = ReturnType<typeof createMetrics>;

const held = processWide<{ metrics?: Metrics }>('metrics', () => ({}));

/** The metrics of this process. */
export function metrics(): Metrics {
  held.metrics ??= createMetrics();
  return held.metrics;
}
