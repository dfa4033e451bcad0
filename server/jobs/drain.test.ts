import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { expect, test } from 'vitest';
import { drain } from './drain.ts';
import type { Job } from './registry.ts';

// Never connected: the jobs here take their work from a list.
const db = new pg.Pool();
const options = { db, clock: () => new Date(), budgetMs: 5_000 };

type Batch = { count: number; lastsMs?: number };

function jobOf(batches: Batch[], onRun: (nth: number) => void = () => undefined): Job {
  let nth = 0;
  return {
    id: 'deliverDueCallbacks',
    everyMs: 1_000,
    limit: 10,
    run: async ({ onClaimed }) => {
      const { count, lastsMs = 0 } = batches[nth] ?? { count: 0 };
      nth += 1;
      onRun(nth);
      onClaimed?.(count);
      await sleep(lastsMs);
      return { count };
    },
  };
}

test('runs on until nothing is left, and counts it all', async () => {
  const job = jobOf([{ count: 10 }, { count: 10 }, { count: 3 }]);
  await expect(drain(job, options)).resolves.toEqual({ count: 23 });
});

test('a batch that hangs does not hold up the next one', async () => {
  const startedMs = performance.now();
  let secondAfterMs = 0;
  const job = jobOf([{ count: 10, lastsMs: 1_500 }, { count: 5 }], (nth) => {
    if (nth === 2) secondAfterMs = performance.now() - startedMs;
  });
  await expect(drain(job, options)).resolves.toEqual({ count: 15 });
  expect(secondAfterMs).toBeLessThan(1_000);
});

test('looks again when a batch has ended, since that made room for more', async () => {
  const job = jobOf([{ count: 10, lastsMs: 600 }, { count: 0 }, { count: 0 }, { count: 7 }]);
  await expect(drain(job, options)).resolves.toEqual({ count: 17 });
});

test('begins nothing after its time, and awaits what it began', async () => {
  let runs = 0;
  const job: Job = {
    ...jobOf([]),
    run: async () => {
      runs += 1;
      await sleep(100);
      return { count: 10 };
    },
  };
  const { count } = await drain(job, { ...options, budgetMs: 350 });
  expect(count).toBe(runs * 10);
  expect(runs).toBeLessThan(6);
});

test('calls at the same time share one drain, which looks once more for each', async () => {
  let claiming = 0;
  let most = 0;
  let runs = 0;
  const job: Job = {
    ...jobOf([]),
    run: async ({ onClaimed }) => {
      runs += 1;
      claiming += 1;
      most = Math.max(most, claiming);
      await sleep(50);
      claiming -= 1;
      onClaimed?.(0);
      return { count: 0 };
    },
  };
  const first = drain(job, options);
  await sleep(20);
  await Promise.all([first, ...Array.from({ length: 20 }, () => drain(job, options))]);
  expect(most).toBe(1);
  expect(runs).toBe(2);
});

test('a call that joins has its work begun at once, while a batch hangs', async () => {
  const startedMs = performance.now();
  const begunMs: number[] = [];
  const job = jobOf([{ count: 10, lastsMs: 1_000 }, { count: 0 }, { count: 5 }], () => {
    begunMs.push(performance.now() - startedMs);
  });
  const first = drain(job, options);
  await sleep(50);
  await Promise.all([first, drain(job, options)]);
  expect(begunMs[2]).toBeLessThan(200);
});

test('an error is thrown after the batches under way have ended', async () => {
  let ended = false;
  const job: Job = {
    ...jobOf([]),
    run: () => Promise.reject(new Error('away')),
  };
  let nth = 0;
  const mixed: Job = {
    ...job,
    run: async (input) => {
      nth += 1;
      if (nth > 1) return job.run(input);
      input.onClaimed?.(1);
      await sleep(500);
      ended = true;
      return { count: 1 };
    },
  };
  await expect(drain(mixed, options)).rejects.toThrow('away');
  expect(ended).toBe(true);
});
