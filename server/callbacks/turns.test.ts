import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { Turns } from './turns.ts';

test('one begins when the one before has ended, whether it worked or not', async () => {
  const turns = new Turns();
  const steps: string[] = [];
  const work = (name: string, ms: number) => async () => {
    steps.push(`${name} begins`);
    await sleep(ms);
    steps.push(`${name} ends`);
    if (name === 'bad') throw new Error(name);
    return name;
  };
  const all = await Promise.allSettled([
    turns.take(work('bad', 5)),
    turns.take(work('good', 5)),
    turns.take(work('last', 1)),
  ]);
  expect(all.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled']);
  expect(steps).toEqual(
    ['bad', 'good', 'last'].flatMap((name) => [`${name} begins`, `${name} ends`]),
  );
});

test('one that does not end holds up no other for long', async () => {
  const turns = new Turns();
  void turns.take(() => new Promise(() => undefined));
  expect(await turns.take(() => Promise.resolve('done'))).toBe('done');
});
