import { afterEach, expect, test, vi } from 'vitest';
import { createSigningKeys } from './signing-keys.ts';

afterEach(() => {
  vi.useRealTimers();
});

test('secrets that are never read hold up no attempt for ever', async () => {
  vi.useFakeTimers();
  const keys = createSigningKeys(() => new Promise(() => undefined));
  const asked = keys.keysOf('mer_1', 'sandbox', new Date());
  const refused = expect(asked).rejects.toThrow('no answer within 5000 ms');
  await vi.advanceTimersByTimeAsync(5_000);
  await refused;
});
