import { afterEach, expect, test } from 'vitest';
import { SideThread, type SideThreadOptions } from './side-thread.ts';

/** Sleeps for as long as what it is sent is 0, then answers how many it has had; -1 fails. */
const SLEEPER = `
  import { parentPort } from 'node:worker_threads';
  let count = 0;
  parentPort.on('message', (awake) => {
    if (Atomics.load(awake, 0) === -1) throw new Error('broken work');
    Atomics.wait(awake, 0, 0);
    count += 1;
    parentPort.postMessage(count);
  });`;

const OPTIONS = {
  url: `data:text/javascript,${encodeURIComponent(SLEEPER)}`,
  most: 3,
  limitMs: 60_000,
  idleMs: 60_000,
};

const threadOf = (options: Partial<SideThreadOptions> = {}) =>
  new SideThread<Int32Array, number>({ ...OPTIONS, ...options });

const asleep: Int32Array[] = [];

function work(state: number): Int32Array {
  const awake = new Int32Array(new SharedArrayBuffer(4));
  awake[0] = state;
  asleep.push(awake);
  return awake;
}

function wake(awake: Int32Array): void {
  Atomics.store(awake, 0, 1);
  Atomics.notify(awake, 0);
}

afterEach(() => {
  for (const each of asleep.splice(0)) wake(each);
});

test('this thread goes on while that one works', async () => {
  const awake = work(0);
  const answer = threadOf().run(awake);
  // Nobody would ever be woken if the work were done here.
  setImmediate(() => wake(awake));
  expect(await answer).toBe(1);
});

test('one thread does the work in order, and refuses what is too much', async () => {
  const thread = threadOf();
  const first = work(0);
  const answers = [thread.run(first), thread.run(work(1)), thread.run(work(1))];
  await expect(thread.run(work(1))).rejects.toMatchObject({ code: 'unavailable' });
  wake(first);
  expect(await Promise.all(answers)).toEqual([1, 2, 3]);
  expect(await thread.run(work(1))).toBe(4);
});

test('work that fails takes nothing with it but itself', async () => {
  const thread = threadOf();
  const answers = [thread.run(work(1)), thread.run(work(-1)), thread.run(work(1))];
  const settled = await Promise.allSettled(answers);
  expect(settled).toMatchObject([
    { value: 1 },
    { reason: { message: 'broken work' } },
    // Of a new thread.
    { value: 1 },
  ]);
});

test('work that takes too long is ended, and the next is done', async () => {
  const options = { ...OPTIONS, limitMs: 1 };
  const thread = new SideThread<Int32Array, number>(options);
  await expect(thread.run(work(0))).rejects.toThrow('the thread ended');
  options.limitMs = OPTIONS.limitMs;
  expect(await thread.run(work(1))).toBe(1);
});

test('a thread that nobody needs ends, and work that comes later has a new one', async () => {
  const thread = threadOf({ idleMs: 0 });
  expect(await thread.run(work(1))).toBe(1);
  await expect.poll(() => thread.run(work(1)), { timeout: 10_000, interval: 200 }).toBe(1);
});
