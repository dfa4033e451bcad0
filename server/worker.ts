import { closeDelivery, deliveryContext } from './callbacks/delivery.ts';
import { Pump } from './callbacks/pump.ts';
import { closePool, getPool } from './db/pool.ts';
import { settings } from './env.ts';
import { startEmbeddedJobs } from './jobs/embedded.ts';
import { createErrorReport } from './jobs/error-report.ts';
import { Listener } from './jobs/listener.ts';
import { JOBS } from './jobs/registry.ts';
import { log } from './log.ts';

// An attempt lasts ten seconds at most, so that all in flight end in time.
const STOP_LIMIT_MS = 12_000;

/** Starts the embedded driver: the pump for callbacks, timers for the rest. */
function startEmbedded(databaseUrl: string): () => Promise<void> {
  const report = createErrorReport();
  const pool = getPool();
  const pump = new Pump(deliveryContext(pool, (error) => report('deliverDueCallbacks', error)));
  const listener = new Listener({
    connectionString: databaseUrl,
    channels: ['callback_due'],
    onNotify: () => pump.wake(),
    onError: (error) => report('listener', error),
  });
  const jobs = startEmbeddedJobs(
    JOBS.filter((job) => job.id !== 'deliverDueCallbacks'),
    { db: pool, clock: () => new Date(), onError: report },
  );
  return async () => {
    await Promise.all([jobs.stop(), listener.stop(), pump.stop(STOP_LIMIT_MS)]);
    await closeDelivery();
    await closePool();
  };
}

function main(): void {
  const { databaseUrl, jobsDriver } = settings();
  if (databaseUrl === null) {
    throw new Error('DATABASE_URL is not set; `npm start` sets it for the embedded PostgreSQL.');
  }
  if (jobsDriver !== 'embedded') {
    throw new Error('JOBS_DRIVER must be "embedded": this worker has no other driver.');
  }
  const stop = startEmbedded(databaseUrl);
  log().info({ driver: jobsDriver }, 'worker started');

  let stopping = false;
  const end = (why: string) => {
    if (stopping) return;
    stopping = true;
    log().info({ why }, 'worker stopping');
    // A statement on a database that hangs must not keep the process for ever.
    setTimeout(() => process.exit(1), STOP_LIMIT_MS + 3_000).unref();
    stop().then(
      () => process.exit(0),
      (error: unknown) => {
        log().error({ err: error }, 'worker did not stop cleanly');
        process.exit(1);
      },
    );
  };
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
    process.on(signal, () => end(signal));
  }
  // The supervisor has died: without it nobody would ever end this process.
  process.on('disconnect', () => end('disconnect'));
}

main();
