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
/** What makes a settled promise of either kind. */
type Wrap = (value: string) => unknown;
type Begun = { settles: string; first: Does; wrap: Wrap };

const link: fc.Arbitrary<Link> = fc.record({ onValue: fc.option(does), onError: fc.option(does) });
const start = fc.record({ settles: fc.constantFrom('before', 'after'), first: does });

/** @param wrap what makes `sync` of a value */
function act({ does: what, with: value }: Does, given: unknown, wrap: Wrap): unknown {
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
      return wrap(said);
    case 'later':
      return new Promise((resolve) => setImmediate(() => resolve(said)));
  }
}

type Settle = { resolve(value: unknown): void; reject(error: unknown): void };
type Fn = ((given: unknown) => unknown) | null;

/** Settles a promise of either kind before or after a chain is built on it. */
function settled(settle: Settle, { settles, first, wrap }: Begun, build: () => void) {
  if (settles === 'after') build();
  try {
    settle.resolve(act(first, '', wrap));
  } catch (error) {
    settle.reject(error);
  }
  // Whatever comes later changes nothing.
  settle.resolve('too late');
  settle.reject('too late');
  if (settles === 'before') build();
}

const functionsOf = ({ onValue, onError }: Link, wrap: Wrap): [Fn, Fn] => [
  onValue && ((given) => act(onValue, given, wrap)),
  onError && ((given) => act(onError, given, wrap)),
];

const textOf = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    (value) => `value ${String(value)}`,
    (error) => `error ${String(error)}`,
  );

/** What a chain of real promises ends with, as text. */
function endOfReal(begun: Begun, links: Link[]): Promise<string> {
  const settle = {} as Settle;
  let last: Promise<unknown> = new Promise((resolve, reject) => {
    Object.assign(settle, { resolve, reject });
  });
  settled(settle, begun, () => {
    for (const link of links) last = last.then(...functionsOf(link, begun.wrap));
    last = textOf(last);
  });
  return last as Promise<string>;
}

function endOfSync(begun: Begun, links: Link[]): Promise<string> {
  const promise = new SyncPromise<unknown>();
  let last = promise;
  let end = Promise.resolve('');
  settled(promise, begun, () => {
    for (const link of links) {
      const [onValue, onError] = functionsOf(link, begun.wrap);
      last = last.chain(onValue ?? ((given) => given), onError ?? undefined);
    }
    end = textOf(last.promise());
  });
  return end;
}

test('a chain ends as one of real promises does', async () => {
  await fc.assert(
    fc.asyncProperty(start, fc.array(link, { maxLength: 5 }), async (begun, links) => {
      const real = await endOfReal({ ...begun, wrap: (value) => Promise.resolve(value) }, links);
      expect(await endOfSync({ ...begun, wrap: SyncPromise.from }, links)).toBe(real);
    }),
    { numRuns: 1_000 },
  );
});

test('its reader is called by whoever settles it, before that goes on', () => {
  const heard: string[] = [];
  const first = new SyncPromise<string>();
  first.chain((value) => `${value}!`).chain((value) => heard.push(value));
  first.resolve('now');
  expect(heard).toEqual(['now!']);
  SyncPromise.from('at once').chain((value) => heard.push(value));
  expect(heard).toEqual(['now!', 'at once']);
});

test('a second reader is refused, rather than not told', () => {
  const promise = new SyncPromise<number>();
  void promise.promise();
  expect(() => promise.chain((value) => value)).toThrow('A SyncPromise has one reader');
});

test('a promise that cannot be read rejects the one that waits for it', async () => {
  const taken = new SyncPromise<number>();
  void taken.promise();
  const waiting = SyncPromise.from('begun').chain(() => taken);
  await expect(waiting.promise()).rejects.toThrow('A SyncPromise has one reader');
});
