import { afterEach, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { randomUuid } from './random-uuid.ts';

afterEach(() => vi.unstubAllGlobals());

test('makes UUIDs where a browser has none of its own, each another', () => {
  const { crypto } = globalThis;
  vi.stubGlobal('crypto', { getRandomValues: crypto.getRandomValues.bind(crypto) });
  const made = Array.from({ length: 1_000 }, randomUuid);
  expect(made.filter((each) => !z.uuidv4().safeParse(each).success)).toEqual([]);
  expect(new Set(made).size).toBe(made.length);
});
