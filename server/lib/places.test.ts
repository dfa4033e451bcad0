import { expect, it } from 'vitest';
import { Places } from './places.ts';

it('lets some be at work, some wait in the order of their coming, and no more', async () => {
  const places = new Places({ atWork: 1, waiting: 2 });
  const first = await places.take('a');
  const turns: string[] = [];
  const waiting = ['second', 'third'].map(async (name) => {
    const leave = await places.take('a');
    turns.push(name);
    return leave;
  });
  expect(await places.take('a')).toBeNull();
  expect(await places.take('b')).not.toBeNull();
  expect(turns).toEqual([]);
  first?.();
  // Once is enough.
  first?.();
  const second = await waiting[0];
  expect(turns).toEqual(['second']);
  second?.();
  (await waiting[1])?.();
  expect(turns).toEqual(['second', 'third']);
  // All have left: there is as much room as at first.
  expect(await places.take('a')).not.toBeNull();
});
