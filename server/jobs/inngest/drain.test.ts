import { EventEmitter, once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { expect, test } from 'vitest';
import type { Job } from '../registry.ts';
import { drain, stopDrains } from './drain.ts';

// The pool never connects: the jobs here take their work from a list.
const db = new pg.Pool();
const options = { db, clock: () => new Date(), budgetMs: 5_000 };

type Batch = { count: number; lastsMs?: number; until?: Promise<unknown> };

function jobOf(batches: Batch[], onRun: (nth: number) => unknown = () => undefined): Job {
  let nth = 0;
  return {
    id: 'expireDueInvoices',
    everyMs: 1_000,
    limit: 10,
    run: async () => {
      const { count, lastsMs = 0, until } = batches[nth] ?? { count: 0 };
      nth += 1;
      onRun(nth);
      await until;
      await sleep(lastsMs);
      return { count };
    },
  };
}

test('runs on until nothing is left, and counts it all', async () => {
  const job = jobOf([{ count: 10 }, { count: 10 }, { count: 3 }]);
  await expect(drain(job, options)).resolves.toEqual({ count: 23 });
});

test('begins nothing after its time', async () => {
  const job = jobOf(Array.from({ length: 5 }, () => ({ count: 10, lastsMs: 100 })));
  await expect(drain(job, { ...options, budgetMs: 150 })).resolves.toEqual({ count: 20 });
});

test('calls at the same time share one drain, which looks once more for all of them', async () => {
  const joined = new EventEmitter();
  let runs = 0;
  const job = jobOf([{ count: 0, until: once(joined, 'all') }, { count: 4 }], () => {
    runs += 1;
  });
  const drains = Array.from({ length: 20 }, () => drain(job, options));
  await sleep(20);
  joined.emit('all');
  const counts = (await Promise.all(drains)).map(({ count }) => count);
  expect(counts).toEqual([4, ...Array.from({ length: 19 }, () => 0)]);
  expect(runs).toBe(3);
});

test('a call that joins when the time is over before its look makes it itself', async () => {
  let due = 0;
  const job: Job = {
    ...jobOf([]),
    run: async () => {
      const count = due;
      due = 0;
      await sleep(200);
      return { count };
    },
  };
  const first = drain(job, { ...options, budgetMs: 100 });
  await sleep(20);
  due = 1;
  const later = Array.from({ length: 3 }, () => drain(job, options));
  await expect(first).resolves.toEqual({ count: 0 });
  const taken = await Promise.all(later);
  expect(taken.map(({ count }) => count)).toEqual([1, 0, 0]);
});

test('an error ends it, and is thrown to none of those who joined', async () => {
  const failing = new EventEmitter();
  const until = once(failing, 'now');
  let runs = 0;
  const job: Job = {
    ...jobOf([]),
    run: async () => {
      runs += 1;
      await until;
      throw new Error('away');
    },
  };
  const failed = expect(drain(job, options)).rejects.toThrow('away');
  const joined = drain(job, options);
  await sleep(20);
  failing.emit('now');
  await failed;
  await expect(joined).resolves.toEqual({ count: 0 });
  expect(runs).toBe(1);
});

test('stopped, it begins nothing more and awaits what it began', async () => {
  const pool = new pg.Pool();
  const ending = new EventEmitter();
  let runs = 0;
  const job = jobOf([{ count: 10, until: once(ending, 'now') }, { count: 10 }], () => {
    runs += 1;
  });
  const drained = drain(job, { ...options, db: pool });
  let isStopped = false;
  await sleep(20);
  const stopped = stopDrains(pool).then(() => {
    isStopped = true;
  });
  const joined = drain(job, { ...options, db: pool });
  await sleep(50);
  expect(isStopped).toBe(false);
  ending.emit('now');
  await stopped;
  await expect(Promise.all([drained, joined])).resolves.toEqual([{ count: 10 }, { count: 0 }]);
  await expect(drain(job, { ...options, db: pool })).resolves.toEqual({ count: 0 });
  expect(runs).toBe(1);
  await pool.end();
});
