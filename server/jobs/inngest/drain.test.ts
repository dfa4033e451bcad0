import { EventEmitter, once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { Job, JobInput } from '../registry.ts';
import { drain, stopDrains } from './drain.ts';

// Never connected: the jobs here take their work from a list.
const db = new pg.Pool();
const options = { db, clock: () => new Date(), budgetMs: 5_000 };

type Batch = { count: number; lastsMs?: number; until?: Promise<unknown> };

function jobOf(batches: Batch[], onRun: (nth: number) => unknown = () => undefined): Job {
  let nth = 0;
  return {
    id: 'deliverDueCallbacks',
    everyMs: 1_000,
    limit: 10,
    run: async ({ onClaimed }) => {
      const { count, lastsMs = 0, until } = batches[nth] ?? { count: 0 };
      nth += 1;
      onRun(nth);
      onClaimed?.(count);
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

test('a batch that hangs does not hold up the next one', async () => {
  const begun = new EventEmitter();
  const job = jobOf([{ count: 10, until: once(begun, '2') }, { count: 5 }], (nth) => {
    begun.emit(String(nth));
  });
  await expect(drain(job, options)).resolves.toEqual({ count: 15 });
});

test('looks again when a batch has ended, since that made room for more', async () => {
  const job = jobOf([{ count: 10, lastsMs: 600 }, { count: 0 }, { count: 0 }, { count: 7 }]);
  await expect(drain(job, options)).resolves.toEqual({ count: 17 });
});

test('begins nothing after its time, and awaits what it began', async () => {
  const realNow = performance.now.bind(performance);
  let aheadMs = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => realNow() + aheadMs);
  onTestFinished(() => void vi.restoreAllMocks());
  const begun = new EventEmitter();
  const until = once(begun, '3');
  const batches = Array.from({ length: 5 }, () => ({ count: 10, until }));
  const job = jobOf(batches, (nth) => {
    if (nth === 3) aheadMs = 60_000;
    begun.emit(String(nth));
  });
  await expect(drain(job, { ...options, budgetMs: 60_000 })).resolves.toEqual({ count: 30 });
});

test('calls at the same time share one drain, which looks once more for each', async () => {
  const joined = new EventEmitter();
  const haveJoined = once(joined, 'all');
  let claiming = 0;
  let most = 0;
  let runs = 0;
  const job: Job = {
    ...jobOf([]),
    run: async ({ onClaimed }) => {
      runs += 1;
      claiming += 1;
      most = Math.max(most, claiming);
      await haveJoined;
      claiming -= 1;
      onClaimed?.(0);
      return { count: 0 };
    },
  };
  const drains = Array.from({ length: 20 }, () => drain(job, options));
  joined.emit('all');
  await Promise.all(drains);
  expect(most).toBe(1);
  expect(runs).toBe(2);
});

test('a call that joins has its work begun at once, while a batch hangs', async () => {
  const begun = new EventEmitter();
  const batches = [{ count: 10, until: once(begun, '3') }, { count: 0 }, { count: 5 }];
  const job = jobOf(batches, (nth) => begun.emit(String(nth)));
  const hasLooked = once(begun, '2');
  // By itself it would look again in a minute.
  const patient = { ...options, budgetMs: 120_000, lookMs: 60_000 };
  const first = drain(job, patient);
  await hasLooked;
  await sleep(50);
  await Promise.all([first, drain(job, patient)]);
  await expect(first).resolves.toEqual({ count: 15 });
});

test('a call that joins ends with its look, whatever hangs', async () => {
  const ends = new EventEmitter();
  const begun = new EventEmitter();
  const job = jobOf([{ count: 10, until: once(ends, 'now') }, { count: 0 }, { count: 5 }], (nth) =>
    begun.emit(String(nth)),
  );
  const hasLooked = once(begun, '2');
  const first = drain(job, { ...options, lookMs: 60_000 });
  await hasLooked;
  await sleep(50);
  await expect(drain(job, options)).resolves.toEqual({ count: 0 });
  await expect(drain(job, options)).resolves.toEqual({ count: 0 });
  ends.emit('now');
  await expect(first).resolves.toEqual({ count: 15 });
});

test('a call that joins when the time is over before its look makes it itself', async () => {
  let due = 0;
  const job: Job = {
    ...jobOf([]),
    run: async ({ onClaimed }) => {
      const count = due;
      due = 0;
      onClaimed?.(count);
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
  // It has begun nothing after the error.
  expect(nth).toBe(2);
});

/** Batches as large as they may be, whose rows end only by their `onEnded` and `end`. */
function openBatches(most: number) {
  const begun: (JobInput & { end: () => void })[] = [];
  const job: Job = {
    ...jobOf([]),
    limit: 256,
    run: (input) => {
      const count = begun.length < most ? input.limit : 0;
      input.onClaimed?.(count);
      return new Promise((resolve) => {
        const end = () => resolve({ count });
        if (count === 0) end();
        else begun.push({ ...input, end });
      });
    },
  };
  const limits = () => begun.map(({ limit }) => limit);
  return { job, begun, limits, rows: () => limits().reduce((sum, limit) => sum + limit, 0) };
}

test('holds 2,048 rows under way, the last 512 of them few for each merchant', async () => {
  const pool = new pg.Pool();
  const { job, begun, limits, rows } = openBatches(11);
  const drained = drain(job, { ...options, db: pool, budgetMs: 20_000 });
  await expect.poll(() => rows()).toBe(2_048);
  expect(begun.map(({ perMerchant }) => perMerchant)).toEqual([
    ...Array.from({ length: 6 }, () => undefined),
    ...[2, 2],
  ]);
  // Single rows of a batch that goes on make room as well, and so does the end of a batch.
  for (let count = 0; count < 3; count += 1) begun[0]?.onEnded?.();
  await expect.poll(() => limits().slice(8)).toEqual([3]);
  begun[0]?.end();
  await expect.poll(() => limits().slice(9)).toEqual([253]);
  begun[1]?.end();
  await expect.poll(() => limits().slice(10)).toEqual([256]);
  for (const batch of begun) batch.end();
  await expect(drained).resolves.toEqual({ count: rows() });
  await pool.end();
});

test('rows of a drain whose time is over count for the next one', async () => {
  const pool = new pg.Pool();
  const { job, begun, rows } = openBatches(12);
  const drains: Promise<unknown>[] = [drain(job, { ...options, db: pool, budgetMs: 100 })];
  await expect.poll(() => rows()).toBe(2_048);
  // One of them begins when the time of the first is over.
  await sleep(150);
  drains.push(drain(job, { ...options, db: pool, budgetMs: 100 }));
  await sleep(150);
  expect(rows()).toBe(2_048);
  for (const batch of begun) batch.end();
  await Promise.all(drains);
  await pool.end();
});

test('where no room came before its time was over, one of those who joined looks after it', async () => {
  const pool = new pg.Pool();
  const { job, begun, rows } = openBatches(9);
  const patient = { ...options, db: pool, budgetMs: 20_000 };
  const full = drain(job, { ...patient, budgetMs: 500 });
  await expect.poll(() => rows()).toBe(2_048);
  const joined = [drain(job, patient), drain(job, patient), drain(job, patient)];
  const ended = joined.map((each) => Promise.race([each, sleep(1_000, null)]));
  // The others are done: what runs them has room for so many.
  expect(await Promise.all(ended)).toEqual([null, { count: 0 }, { count: 0 }]);
  begun[0]?.end();
  await expect.poll(() => begun).toHaveLength(9);
  for (const batch of begun) batch.end();
  await expect(joined[0]).resolves.toEqual({ count: 256 });
  await full;
  await pool.end();
});

test('stopped, it begins nothing more and awaits what it began', async () => {
  const pool = new pg.Pool();
  const { job, begun } = openBatches(20);
  const drained = drain(job, { ...options, db: pool });
  await expect.poll(() => begun).toHaveLength(8);
  let isStopped = false;
  const stopped = stopDrains(pool).then(() => {
    isStopped = true;
  });
  const joined = drain(job, { ...options, db: pool });
  for (const batch of begun.slice(1)) batch.end();
  await sleep(100);
  expect(isStopped).toBe(false);
  begun[0]?.end();
  await stopped;
  await Promise.all([drained, joined]);
  await expect(drain(job, { ...options, db: pool })).resolves.toEqual({ count: 0 });
  expect(begun).toHaveLength(8);
  await pool.end();
});
