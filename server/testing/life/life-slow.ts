import { AsyncLocalStorage } from 'node:async_hooks';
import type { setTimeout as Sleep } from 'node:timers/promises';

/** Work that sleeps until it is woken, and its result after that. */
export type Asleep<T> = { wake: () => void; result: Promise<T> };

const sleeping = new AsyncLocalStorage<(wake: () => void) => void>();

/** For `vi.mock`: the test, whose clock is a different one, wakes what sleeps in `untilAsleep`. */
export const sleepUntilWoken =
  (sleep: typeof Sleep): typeof Sleep =>
  (delayMs, value, options) => {
    const fallAsleep = sleeping.getStore();
    if (!fallAsleep) return sleep(delayMs, value, options);
    return new Promise((resolve) => {
      fallAsleep(() => resolve(value as NonNullable<typeof value>));
    });
  };

/** Runs `work` until it ends or sleeps. */
export function untilAsleep<T>(
  work: () => Promise<T>,
): Promise<{ ended: T } | { asleep: Asleep<T> }> {
  return new Promise((resolve, reject) => {
    const result = sleeping.run((wake) => resolve({ asleep: { wake, result } }), work);
    result.then((ended) => resolve({ ended }), reject);
  });
}
