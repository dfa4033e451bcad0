import fc from 'fast-check';
import { expect, test } from 'vitest';
import { SyncPromise } from './sync-promise.ts';

/** One `then`: what its functions do, and whether they are there. */
type Link = { onValue: Does | null; onError: Does | null };
type Does = { does: 'answer' | 'throw' | 'promise' | 'refusal' | 'sync' | 'later'; with: number };

const does: fc.Arbitrary<Does> = fc.record({
  does: fc.constantFrom('answer', 'throw', 'promise', 'refusal', 'sync', 'later'),
  with: fc.nat({ max: 9 }),
});
const link: fc.Arbitrary<Link> = fc.record({ onValue: fc.option(does), onError: fc.option(does) });
const start = fc.record({ settles: fc.constantFrom('before', 'after'), first: does });

function act({ does: what, with: value }: Does, given: unknown): unknown {
  const said = `${String(given)}${value}`;
  switch (what) {
    case 'answer':
      return said;
    case 'throw':
      throw said;
    case 'promise':
      return Promise.resolve(said);
    case 'refusal':
      return Promise.reject(said);
    case 'sync':
      return SyncPromise.of(said);
    case 'later':
      return new Promise((resolve) => setImmediate(() => resolve(said)));
  }
}

type Settle = { resolve(value: unknown): void; reject(error: unknown): void };

/** Builds the chain on a promise of either kind; what it ends with, as text. */
async function endOf(
  promise: PromiseLike<unknown>,
  settle: Settle,
  { settles, first, links }: { settles: string; first: Does; links: Link[] },
): Promise<string> {
  const begin = () => {
    try {
      settle.resolve(act(first, ''));
    } catch (error) {
      settle.reject(error);
    }
    // Whatever comes later changes nothing.
    settle.resolve('too late');
    settle.reject('too late');
  };
  if (settles === 'before') begin();
  let last = promise;
  for (const { onValue, onError } of links) {
    last = last.then(
      onValue && ((given) => act(onValue, given)),
      onError && ((given) => act(onError, given)),
    );
  }
  if (settles === 'after') begin();
  try {
    return `value ${String(await last)}`;
  } catch (error) {
    return `error ${String(error)}`;
  }
}

test('a chain ends as one of real promises does', async () => {
  await fc.assert(
    fc.asyncProperty(start, fc.array(link, { maxLength: 5 }), async (begun, links) => {
      const settle = {} as Settle;
      const real = new Promise((resolve, reject) => Object.assign(settle, { resolve, reject }));
      const expected = await endOf(real, settle, { ...begun, links });
      const sync = new SyncPromise<unknown>();
      expect(await endOf(sync, sync, { ...begun, links })).toBe(expected);
    }),
    { numRuns: 1_000 },
  );
});

test('its reader is called by whoever settles it, before that goes on', () => {
  const heard: string[] = [];
  const first = new SyncPromise<string>();
  first.then((value) => `${value}!`).then((value) => heard.push(value));
  first.resolve('now');
  expect(heard).toEqual(['now!']);
  SyncPromise.of('at once').then((value) => heard.push(value));
  expect(heard).toEqual(['now!', 'at once']);
});

test('a second reader is refused, rather than not told', () => {
  const promise = new SyncPromise<number>();
  promise.then();
  expect(() => promise.then()).toThrow('A SyncPromise has one reader');
});

test('a promise that cannot be read rejects the one that waits for it', async () => {
  const taken = new SyncPromise<number>();
  taken.then();
  const waiting = new SyncPromise<number>();
  waiting.resolve(taken);
  await expect(waiting).rejects.toThrow('A SyncPromise has one reader');
});
