import type pg from 'pg';
import { Gauge, Registry } from 'prom-client';
import { countDown } from '../merchants/acquirer-accounts.ts';
import { countBookTroubles } from '../payments/books/differences.ts';
import { listExcesses } from '../payments/card-testing.ts';
import { countHolds } from '../payments/holds/acquirer-transactions.ts';
import { countOverdueRefunds } from '../refunds/overdue.ts';
import { listFailedRecoveries, listPendingCaptures, readBacklog } from './backlog.ts';
import { listProcesses } from './heartbeats.ts';

const FRESH_MS = 5_000;
const FAILED_LIMIT = 1_000;
// Far below an attack, so that a chart shows how it grew; and no more merchants than a chart can
// show.
export const EXCESS = { atLeast: 10, limit: 20 };

function createGauges() {
  const registry = new Registry();
  const registers = [registry];
  const gauge = (name: string, help: string) => new Gauge({ name, help, registers });
  return {
    registry,
    due: gauge(
      'gateway_callbacks_due',
      'Callbacks whose attempt is due, over all merchants; at most 1,000 of each are counted, 20,000 in all',
    ),
    lag: gauge(
      'gateway_callback_lag_seconds',
      'How long the first due callback waits that does not wait for others of its merchant',
    ),
    oldest: gauge(
      'gateway_callback_oldest_undelivered_seconds',
      'Age of the oldest callback that is still being tried',
    ),
    overdue: gauge(
      'gateway_invoices_overdue',
      'PENDING invoices past their end that no capture holds; at most 10,000 are counted',
    ),
    expiryLag: gauge('gateway_expiry_lag_seconds', 'How long the first of them is overdue'),
    recoveries: gauge(
      'gateway_recoveries_waiting',
      'Payment attempts due for recovery; at most 10,000 are counted',
    ),
    stuck: gauge(
      'gateway_recoveries_stuck',
      'Payment attempts that recovery tries in vain; at most 1,000 are counted',
    ),
    pendingCapture: gauge(
      'gateway_capture_oldest_pending_seconds',
      'Age of the oldest payment whose capture the acquirer has accepted and not carried out, from an hour on; 0: none',
    ),
    refundsOverdue: gauge(
      'gateway_refunds_overdue',
      'Refunds at acquirers that are open longer than they should be; at most 1,000 are counted',
    ),
    excess: new Gauge({
      name: 'gateway_merchant_declines_excess',
      help: 'How many more of the tries of a merchant’s buyers were declined than paid within ten minutes, from 10 on; the 20 merchants with the most',
      labelNames: ['merchant', 'environment'] as const,
      registers,
    }),
    holds: new Gauge({
      name: 'gateway_open_holds',
      help: 'Invoices that an acquirer has reserved and not yet paid',
      labelNames: ['provider'] as const,
      registers,
    }),
    down: new Gauge({
      name: 'gateway_acquirer_accounts_down',
      help: 'Accounts at acquirers that are offered to buyers and whose last five calls or more have failed',
      labelNames: ['provider'] as const,
      registers,
    }),
    differences: new Gauge({
      name: 'gateway_book_differences',
      help: 'Payments and refunds on which an acquirer’s books and ours differ and that nobody has settled',
      labelNames: ['provider'] as const,
      registers,
    }),
    comparisonsFailing: new Gauge({
      name: 'gateway_book_comparisons_failing',
      help: 'Accounts at acquirers whose last comparison of books failed',
      labelNames: ['provider'] as const,
      registers,
    }),
    snapshot: gauge(
      'gateway_oldest_snapshot_seconds',
      'Age of the oldest transaction that keeps what was deleted from being cleaned up, of those that the role of DATABASE_URL may see',
    ),
  };
}

/**
 * The running processes, for Prometheus. Separate from the backlog: if that cannot be read, as
 * while its tables are locked, the processes still live, and no alert may say that none does.
 */
export async function renderProcesses(db: pg.Pool, now: Date): Promise<string> {
  const registry = new Registry();
  const gauge = new Gauge({
    name: 'gateway_processes',
    help: 'Processes that reported within half a minute, by kind and by who runs the jobs',
    labelNames: ['kind', 'driver'] as const,
    registers: [registry],
  });
  for (const { kind, driver, isSilent } of await listProcesses(db, now)) {
    if (!isSilent) gauge.inc({ kind, driver: driver ?? 'none' });
  }
  return await registry.metrics();
}

let gauges: ReturnType<typeof createGauges> | undefined;
let readAtMs = Number.NEGATIVE_INFINITY;

/**
 * While somebody keeps an old snapshot (a dump, a transaction forgotten in psql), vacuum cannot
 * remove the entries of callbacks delivered since, and claims pass over all of them.
 */
async function oldestSnapshotSeconds(db: pg.Pool): Promise<number> {
  const { rows } = await db.query<{ seconds: number }>(`
    SELECT coalesce(extract(epoch FROM max(clock_timestamp() - xact_start)), 0)::float8 AS seconds
    FROM pg_stat_activity
    WHERE (backend_xmin IS NOT NULL OR backend_xid IS NOT NULL) AND backend_type = 'client backend'
      AND datname = current_database() AND pid <> pg_backend_pid()`);
  return rows[0]?.seconds ?? 0;
}

/**
 * The database's backlog, for Prometheus: the same from every process, so queries take the maximum.
 * Read at most every five seconds.
 */
export async function renderBacklog(db: pg.Pool, now: Date): Promise<string> {
  gauges ??= createGauges();
  // The clock may have been set back; the figures' age is then unknown.
  const ageMs = now.getTime() - readAtMs;
  if (ageMs < 0 || ageMs >= FRESH_MS) {
    // One after the other: all at once would take connections that the API waits for.
    const backlog = await readBacklog(db, now);
    const stuck = await listFailedRecoveries(db, { now, limit: FAILED_LIMIT });
    const [pending] = await listPendingCaptures(db, { now, limit: 1 });
    const { count: refundsOverdue } = await countOverdueRefunds(db, now);
    const excesses = await listExcesses(db, { now, ...EXCESS });
    gauges.excess.reset();
    for (const { merchantId: merchant, environment, excess } of excesses) {
      gauges.excess.set({ merchant, environment }, excess);
    }
    gauges.holds.reset();
    for (const { provider, count } of await countHolds(db)) gauges.holds.set({ provider }, count);
    gauges.down.reset();
    for (const { provider, count } of await countDown(db)) gauges.down.set({ provider }, count);
    gauges.differences.reset();
    gauges.comparisonsFailing.reset();
    for (const { provider, differences, failing } of await countBookTroubles(db)) {
      gauges.differences.set({ provider }, differences);
      gauges.comparisonsFailing.set({ provider }, failing);
    }
    gauges.snapshot.set(await oldestSnapshotSeconds(db));
    gauges.due.set(backlog.callbacksDue);
    gauges.lag.set(backlog.callbackLagMs / 1000);
    gauges.oldest.set(backlog.oldestUndeliveredMs / 1000);
    gauges.overdue.set(backlog.overdueInvoices);
    gauges.expiryLag.set(backlog.expiryLagMs / 1000);
    gauges.recoveries.set(backlog.recoveriesWaiting);
    gauges.stuck.set(stuck.length);
    gauges.refundsOverdue.set(refundsOverdue);
    gauges.pendingCapture.set(pending ? (now.getTime() - pending.sinceMs) / 1000 : 0);
    readAtMs = now.getTime();
  }
  return await gauges.registry.metrics();
}
