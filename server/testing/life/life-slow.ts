import { AsyncLocalStorage } from 'node:async_hooks';
import type { setTimeout as Sleep } from 'node:timers/promises';

/** Work that has stopped until it is woken, and what comes of it then. */
export type Asleep<T> = { wake: () => void; result: Promise<T> };

const sleeping = new AsyncLocalStorage<(wake: () => void) => void>();

/** For `vi.mock`: what sleeps in `untilAsleep` is woken by the test, whose clock is another. */
export const sleepUntilWoken =
  (sleep: typeof Sleep): typeof Sleep =>
  (delayMs, value, options) => {
    const fallAsleep = sleeping.getStore();
    if (!fallAsleep) return sleep(delayMs, value, options);
    return new Promise((resolve) => {
      fallAsleep(() => resolve(value as NonNullable<typeof value>));
    });
  };

/** Runs `work` until it has ended, or sleeps. */
export function untilAsleep<T>(
  work: () => Promise<T>,
): Promise<{ ended: T } | { asleep: Asleep<T> }> {
  return new Promise((resolve, reject) => {
    const result = sleeping.run((wake) => resolve({ asleep: { wake, result } }), work);
    result.then((ended) => resolve({ ended }), reject);
  });
}
