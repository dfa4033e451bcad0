import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { CALLBACK_DUE, WAKE_WORKERS } from '../callbacks/enqueue.ts';
import { Listener } from '../db/listener.ts';
import { until } from '../testing/callbacks.ts';
import { createTestDatabase, type TestDatabase } from '../testing/database/database.ts';
import { type EmbeddedJobs, startEmbeddedJobs } from './embedded.ts';
import type { Job } from './registry.ts';

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

let database: TestDatabase;
let stop: (() => Promise<void>) | null = null;

beforeEach(async () => {
  database = await createTestDatabase();
});

afterEach(async () => {
  await stop?.();
  stop = null;
  await database.drop();
});

function start(job: Partial<Job>, errors: unknown[] = []): EmbeddedJobs {
  const whole: Job = {
    id: 'expireDueInvoices',
    everyMs: 20,
    limit: 10,
    run: () => Promise.resolve({ count: 0 }),
    ...job,
  };
  const clock = () => new Date('2026-11-21T12:00:00.000Z');
  const jobs = startEmbeddedJobs([whole], {
    db: database.pool,
    clock,
    onError: (id, error) => errors.push([id, error]),
  });
  stop = jobs.stop;
  return jobs;
}

describe('startEmbeddedJobs', () => {
  test('a job runs at once and then on its timer, with the clock that was given', async () => {
    const seen: Date[] = [];
    start({
      run: ({ now }) => {
        seen.push(now);
        return Promise.resolve({ count: 0 });
      },
    });
    await until(() => seen.length >= 3);
    expect(seen[0]).toEqual(new Date('2026-11-21T12:00:00.000Z'));
  });

  test('a run that took all it may is followed by another at once', async () => {
    const counts = [10, 10, 3];
    let runs = 0;
    start({
      everyMs: 60_000,
      run: () => {
        runs += 1;
        return Promise.resolve({ count: counts.shift() ?? 0 });
      },
    });
    await until(() => runs === 3);
    await pause(50);
    expect(runs).toBe(3);
  });

  test('a job never overlaps itself', async () => {
    let open = 0;
    let most = 0;
    let runs = 0;
    start({
      everyMs: 5,
      run: async () => {
        open += 1;
        most = Math.max(most, open);
        await pause(40);
        open -= 1;
        runs += 1;
        return { count: 0 };
      },
    });
    await until(() => runs >= 3);
    expect(most).toBe(1);
  });

  test('an error is reported and the job goes on', async () => {
    const errors: unknown[] = [];
    let runs = 0;
    start(
      {
        run: () => {
          runs += 1;
          return runs === 1 ? Promise.reject(new Error('away')) : Promise.resolve({ count: 0 });
        },
      },
      errors,
    );
    await until(() => runs >= 3);
    expect(errors).toEqual([['expireDueInvoices', expect.any(Error)]]);
  });

  test('stop waits for the run under way and starts none after it', async () => {
    let runs = 0;
    let ended = 0;
    const jobs = start({
      run: async () => {
        runs += 1;
        await pause(100);
        ended += 1;
        return { count: 10 };
      },
    });
    await until(() => runs === 1);
    await jobs.stop();
    expect(ended).toBe(1);
    await pause(60);
    expect(runs).toBe(1);
  });
});

describe('Listener', () => {
  test('hears a notification, and again after its connection was cut', async () => {
    let heard = 0;
    const errors: unknown[] = [];
    const listener = new Listener({
      connectionString: database.url,
      channel: CALLBACK_DUE,
      applicationName: 'payment-gateway listener',
      onNotify: () => {
        heard += 1;
      },
      onError: (error) => errors.push(error),
    });
    stop = () => listener.stop();
    // The first call tells of the connection: earlier events are unknown.
    await until(() => heard === 1);
    await database.pool.query(`SELECT ${WAKE_WORKERS}`);
    await until(() => heard === 2);
    await database.pool.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE datname = current_database() AND application_name LIKE '%listener'`,
    );
    await until(() => heard === 3);
    expect(errors).toHaveLength(1);
    await database.pool.query(`SELECT ${WAKE_WORKERS}`);
    await until(() => heard === 4);
  });

  test('keeps trying while there is no database, and stops when told', async () => {
    const errors: unknown[] = [];
    const listener = new Listener({
      connectionString: 'postgres://nobody@127.0.0.1:1/none',
      channel: CALLBACK_DUE,
      applicationName: 'payment-gateway listener',
      onNotify: () => undefined,
      onError: (error) => errors.push(error),
    });
    await until(() => errors.length >= 2);
    await listener.stop();
  });
});
