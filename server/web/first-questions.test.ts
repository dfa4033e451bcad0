import { afterEach, expect, it, vi } from 'vitest';
import { log } from '../observability/log.ts';
import { askDatabaseFirst } from './first-questions.ts';

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const never = () => new Promise<never>(() => undefined);

it('a database that says nothing keeps no web from listening', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const warn = vi.spyOn(log(), 'warn').mockReturnValue();
  const asked = askDatabaseFirst({ query: never }, never());
  vi.advanceTimersByTime(2_000);
  await asked;
  expect(warn.mock.calls.map(([, words]) => words)).toEqual([
    'the clock could not be held against the database’s yet',
  ]);
});
