import type { KeyObject } from 'node:crypto';
import { afterEach, expect, test, vi } from 'vitest';
import { createSigningKeys } from './signing-keys.ts';

afterEach(() => {
  vi.useRealTimers();
});

/** Two keys would pass for equal whatever their content. */
const textsOf = (keys: readonly KeyObject[] | null) =>
  keys?.map((key) => key.export().toString('utf8'));

test('secrets that are never read hold up no attempt for ever', async () => {
  vi.useFakeTimers();
  const keys = createSigningKeys(() => new Promise(() => undefined));
  const asked = keys.keysOf('mer_1', 'sandbox', new Date());
  const refused = expect(asked).rejects.toThrow('no answer within 5000 ms');
  await vi.advanceTimersByTimeAsync(5_000);
  await refused;
});

test('keys are at hand once they were read, for some seconds and for their environment', async () => {
  let reads = 0;
  const keys = createSigningKeys(() => {
    reads += 1;
    return Promise.resolve([`whsec_${Buffer.from('key').toString('base64')}`]);
  });
  const now = new Date();
  expect(keys.kept('mer_1', 'sandbox', now)).toBe(null);
  await keys.keysOf('mer_1', 'sandbox', now);
  expect(textsOf(keys.kept('mer_1', 'sandbox', now))).toEqual(['key']);
  expect(keys.kept('mer_1', 'production', now)).toBe(null);
  expect(keys.kept('mer_2', 'sandbox', now)).toBe(null);
  await keys.keysOf('mer_1', 'sandbox', new Date(now.getTime() + 4_999));
  expect(reads).toBe(1);
  expect(keys.kept('mer_1', 'sandbox', new Date(now.getTime() + 5_000))).toBe(null);
});

test('keys that could not be read are read again', async () => {
  const answers = [Promise.reject(new Error('away')), Promise.resolve(['whsec_a2V5'])];
  const keys = createSigningKeys(() => answers.shift() ?? Promise.reject(new Error('no more')));
  const now = new Date();
  await expect(keys.keysOf('mer_1', 'sandbox', now)).rejects.toThrow('away');
  expect(textsOf(await keys.keysOf('mer_1', 'sandbox', now))).toEqual(['key']);
});

test('keys are not kept for a time before they were read, for the clock may have been set back', async () => {
  const answers = ['old', 'new'].map((key) => [`whsec_${Buffer.from(key).toString('base64')}`]);
  const keys = createSigningKeys(() => Promise.resolve(answers.shift() ?? []));
  const now = new Date();
  const earlier = new Date(now.getTime() - 1);
  await keys.keysOf('mer_1', 'sandbox', now);
  expect(keys.kept('mer_1', 'sandbox', earlier)).toBe(null);
  expect(textsOf(await keys.keysOf('mer_1', 'sandbox', earlier))).toEqual(['new']);
  expect(textsOf(keys.kept('mer_1', 'sandbox', earlier))).toEqual(['new']);
});
