import { vi } from 'vitest';

/** The machine's own time in epoch milliseconds, unaffected by `setClock`. */
export const wall = Date.now.bind(Date);

/** Moves this process's clock ahead, until `vi.restoreAllMocks`; earlier measurements stay. */
export function setClock(aheadMs: number): void {
  vi.spyOn(Date, 'now').mockImplementation(() => wall() + aheadMs);
}
