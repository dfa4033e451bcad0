import { readdirSync } from 'node:fs';
import { getPriority, setPriority } from 'node:os';
import { closeDelivery } from '../callbacks/queue/delivery.ts';
import { closePool, getPool } from '../db/pool.ts';
import { STOP_LIMIT_MS, startEmbeddedDriver } from '../jobs/embedded-driver.ts';
import { startInngestDriver } from '../jobs/inngest/driver.ts';
import { onEndSignals } from '../lib/end-signals.ts';
import { isLoopbackUrl } from '../lib/formats.ts';
import { log, logFatal, outliveFullDisks } from '../observability/log.ts';
import { startTracing, stopTracing } from '../observability/start-tracing.ts';
import { startHeartbeats } from '../operating/heartbeats.ts';
import { guardSecretsKey } from '../operating/secrets-key.ts';
import { onSupervisorGone } from '../process/supervisor-gone.ts';
import { demandPublicUrl, settings } from '../settings/settings.ts';
import { startStatusServer } from './status-server.ts';

const QUIET_MS = 5_000;

/**
 * Logs errors of background work, each task's at most every five seconds: while PostgreSQL is away
 * everything fails several times a second, for one reason.
 */
function createErrorReport(): (task: string, error: unknown) => void {
  const tasks = new Map<string, { quietUntilMs: number; leftOut: number }>();
  return (task, error) => {
    const nowMs = performance.now();
    const state = tasks.get(task) ?? { quietUntilMs: 0, leftOut: 0 };
    tasks.set(task, state);
    if (nowMs < state.quietUntilMs) {
      state.leftOut += 1;
      return;
    }
    log().error({ err: error, task, leftOut: state.leftOut }, 'background work failed; it goes on');
    state.leftOut = 0;
    state.quietUntilMs = nowMs + QUIET_MS;
  };
}

/**
 * On busy processors, work that somebody waits for goes first. This halves a create's wait while
 * ten thousand callbacks go out, and leaves the worker a third of a web's share.
 */
const NICENESS = 5;

/** V8's compiler and collector threads run already, and Linux sets the priority of each thread. */
function threads(): number[] {
  try {
    return readdirSync('/proc/self/task').map(Number);
  } catch {
    // On other systems a priority applies to the whole process.
    return [];
  }
}

/** The priority is never raised again: only root may do that. */
function lower(thread: number): void {
  if (getPriority(thread) < NICENESS) setPriority(thread, NICENESS);
}

/** Works only within one machine and group; see "Sizing" in the operator's guide. */
function giveWay(): void {
  try {
    lower(process.pid);
  } catch (error) {
    log().warn({ err: error }, 'the worker keeps its priority: the system does not let it change');
    return;
  }
  for (const thread of threads()) {
    try {
      lower(thread);
    } catch {
      // The thread has ended meanwhile.
    }
  }
}

function main(): void {
  giveWay();
  const current = settings();
  const { databaseUrl, jobsDriver, metricsPort, callbackNetwork, publicUrl } = current;
  if (databaseUrl === null) {
    throw new Error('DATABASE_URL is not set; `npm start` sets it for the embedded PostgreSQL.');
  }
  if (callbackNetwork === 'local' && !isLoopbackUrl(publicUrl)) {
    log().warn(
      'CALLBACK_NETWORK is local on a public gateway: merchants reach what listens on this machine',
    );
  }
  const start = jobsDriver === 'inngest' ? startInngestDriver : startEmbeddedDriver;
  const driver = start({ pool: getPool(), databaseUrl, report: createErrorReport() });
  const heartbeats = startHeartbeats(getPool(), { kind: 'worker', driver: () => driver.state() });
  const statusServer = metricsPort === null ? null : startStatusServer(metricsPort, current);
  const stop = async () => {
    statusServer?.close();
    await Promise.all([driver.stop(), heartbeats.stop()]);
    await closeDelivery();
    await closePool();
    await stopTracing();
  };
  log().info({ driver: jobsDriver }, 'worker started');

  let stopping = false;
  const end = (why: string) => {
    if (stopping) return;
    stopping = true;
    log().info({ why }, 'worker stopping');
    // A statement on a hanging database must not keep the process forever.
    setTimeout(() => process.exit(1), STOP_LIMIT_MS + 3_000).unref();
    stop().then(
      () => process.exit(0),
      (error: unknown) => {
        log().error({ err: error }, 'worker did not stop cleanly');
        process.exit(1);
      },
    );
  };
  onEndSignals(end, () => {
    // Without a supervisor, a second signal ends the process at once. A supervisor does that
    // itself: its own signal follows the one that a terminal sends to each process of a group.
    if (!process.connected) process.exit(1);
  });
  // The supervisor has died, so nothing else would ever end this process.
  onSupervisorGone(() => end('disconnect'));
}

outliveFullDisks();
try {
  await startTracing('worker');
  demandPublicUrl(settings());
  await guardSecretsKey();
} catch (error) {
  logFatal(error);
  process.exit(1);
}
// Nothing begins if the supervisor is gone by now.
if (process.connected === false) process.exit(0);
main();
