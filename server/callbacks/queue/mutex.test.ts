import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Mutex } from './mutex.ts';

// A stalled machine would otherwise look like a slow statement.
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});

afterEach(() => {
  vi.useRealTimers();
});

test('one begins when the one before has ended, whether it worked or not', async () => {
  const mutex = new Mutex();
  const steps: string[] = [];
  const work = (name: string) => async () => {
    steps.push(`${name} begins`);
    await nextTurn();
    steps.push(`${name} ends`);
    if (name === 'bad') throw new Error(name);
    return name;
  };
  const all = await Promise.allSettled([
    mutex.take(work('bad')),
    mutex.take(work('good')),
    mutex.take(work('last')),
  ]);
  expect(all.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled']);
  expect(steps).toEqual(
    ['bad', 'good', 'last'].flatMap((name) => [`${name} begins`, `${name} ends`]),
  );
});

test('one that does not end holds up no other for long', async () => {
  const mutex = new Mutex();
  void mutex.take(() => new Promise(() => undefined));
  const next = mutex.take(() => Promise.resolve('done'));
  await vi.advanceTimersByTimeAsync(20);
  expect(await next).toBe('done');
});
