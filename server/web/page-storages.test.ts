import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { setTracer, type Tracer } from '../lib/tracing.ts';
import { PageStorages } from './page-storages.ts';

/** Long enough for a rest to have come. */
const RESTED_MS = 250;
/** What is found in a storage that rests; Node 24 does without hooks, and nothing needs to rest. */
const AT_REST = Number.parseInt(process.versions.node, 10) < 24 ? undefined : 'a page';

const nothing = () => undefined;
const TRACER: Tracer = {
  run: (_description, work) => work({ set: nothing, fail: nothing, drop: nothing }),
  runFor: (_waiters, _description, work) => work(),
  waiter: () => null,
  stop: () => Promise.resolve(),
};

const storage = new AsyncLocalStorage<string>();
// What is in the place of it from the first test on is this file's alone.
const { run } = AsyncLocalStorage.prototype;

afterEach(async () => {
  // The storages of a test's last page rest before the next test.
  await sleep(RESTED_MS);
  AsyncLocalStorage.prototype.run = run;
  setTracer(null);
});

/** What a page that has been made finds in the storage when it is looked into a while later. */
async function foundLater(pages: PageStorages): Promise<string | undefined> {
  let later: Promise<string | undefined> = Promise.resolve(undefined);
  await pages.during(() =>
    storage.run('a page', async () => {
      later = sleep(RESTED_MS).then(() => storage.getStore());
      await sleep(1);
    }),
  );
  return await later;
}

test('storages rest when no page is being made', async () => {
  expect(await foundLater(new PageStorages())).toBe(AT_REST);
});

test('a page that takes long keeps its storages though others end', async () => {
  const pages = new PageStorages();
  const slow = pages.during(() =>
    storage.run('slow', async () => {
      await sleep(2 * RESTED_MS);
      return storage.getStore();
    }),
  );
  await foundLater(pages);
  expect(await slow).toBe('slow');
});

test('a page that comes before they rest keeps its storages', async () => {
  const pages = new PageStorages();
  await pages.during(() => storage.run('first', () => sleep(1)));
  const second = pages.during(() =>
    storage.run('second', async () => {
      await sleep(RESTED_MS);
      return storage.getStore();
    }),
  );
  expect(await second).toBe('second');
});

test('storages that rested serve the next page', async () => {
  const pages = new PageStorages();
  await foundLater(pages);
  const found = pages.during(() =>
    storage.run('the next', async () => {
      await sleep(1);
      return storage.getStore();
    }),
  );
  expect(await found).toBe('the next');
});

test('storages rest after a page that failed', async () => {
  const pages = new PageStorages();
  let later: Promise<string | undefined> = Promise.resolve(undefined);
  const failed = pages.during(() =>
    storage.run('a page', async () => {
      later = sleep(RESTED_MS).then(() => storage.getStore());
      throw new Error('no page');
    }),
  );
  await expect(failed).rejects.toThrow('no page');
  expect(await later).toBe(AT_REST);
});

test('one that pages do not use is left alone', async () => {
  const other = new AsyncLocalStorage<string>();
  const pages = new PageStorages();
  const later = other.run('a job', async () => {
    await sleep(2 * RESTED_MS);
    return other.getStore();
  });
  await foundLater(pages);
  expect(await later).toBe('a job');
});

test('none rests while there are traces', async () => {
  setTracer(TRACER);
  expect(await foundLater(new PageStorages())).toBe('a page');
});

test('none rests where Node needs no hooks for them', async () => {
  expect(await foundLater(new PageStorages('24.0.0'))).toBe('a page');
});
