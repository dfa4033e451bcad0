import type pg from 'pg';
import { CALLBACK_DUE } from '../callbacks/enqueue.ts';
import { deliveryContext } from '../callbacks/queue/delivery.ts';
import { Pump } from '../callbacks/queue/pump.ts';
import { Listener } from '../db/listener.ts';
import type { DriverState } from '../operating/heartbeats.ts';
import { startEmbeddedJobs } from './embedded.ts';
import { JOBS } from './registry.ts';

// An attempt lasts ten seconds at most, so that all in flight end in time.
export const STOP_LIMIT_MS = 12_000;

/** A running driver. */
export type Driver = {
  /** The runner of the jobs: this process, Inngest, or this process in Inngest's place. */
  state(): DriverState;
  /** Begins nothing any more; resolves when the present work has ended. */
  stop(): Promise<void>;
};

export type DriverOptions = {
  pool: pg.Pool;
  databaseUrl: string;
  report: (task: string, error: unknown) => void;
};

/** Calls back whenever a callback has become due, and after every connect, for earlier ones. */
export function listenForDue(
  { databaseUrl, report }: DriverOptions,
  onNotify: () => void,
): Listener {
  return new Listener({
    connectionString: databaseUrl,
    channel: CALLBACK_DUE,
    applicationName: 'payment-gateway listener',
    onNotify,
    onError: (error) => report('listener', error),
  });
}

/** Starts the embedded driver: the pump for callbacks, timers for the rest. */
export function startEmbeddedDriver(options: DriverOptions): Driver {
  const { pool, report } = options;
  const pump = new Pump(deliveryContext(pool, (error) => report('deliverDueCallbacks', error)));
  const listener = listenForDue(options, () => pump.wake());
  const jobs = startEmbeddedJobs(
    JOBS.filter((job) => job.id !== 'deliverDueCallbacks'),
    { db: pool, clock: () => new Date(), onError: report },
  );
  return {
    state: () => 'embedded',
    stop: async () => {
      await Promise.all([jobs.stop(), listener.stop(), pump.stop(STOP_LIMIT_MS)]);
    },
  };
}
