import { expect, it } from 'vitest';
import { KeyedSemaphore } from './keyed-semaphore.ts';

it('lets some be at work, some wait in the order of their coming, and no more', async () => {
  const semaphore = new KeyedSemaphore({ atWork: 1, waiting: 2 });
  const first = await semaphore.acquire('a');
  const turns: string[] = [];
  const waiting = ['second', 'third'].map(async (name) => {
    const leave = await semaphore.acquire('a');
    turns.push(name);
    return leave;
  });
  expect(await semaphore.acquire('a')).toBeNull();
  expect(await semaphore.acquire('b')).not.toBeNull();
  expect(turns).toEqual([]);
  first?.();
  // Releasing once is enough.
  first?.();
  const second = await waiting[0];
  expect(turns).toEqual(['second']);
  second?.();
  (await waiting[1])?.();
  expect(turns).toEqual(['second', 'third']);
  // All have left, so there is as much room as at first.
  expect(await semaphore.acquire('a')).not.toBeNull();
});
