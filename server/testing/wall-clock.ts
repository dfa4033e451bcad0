import { vi } from 'vitest';

/** The machine's own time, epoch milliseconds, whatever `setClock` says. */
export const wall = Date.now.bind(Date);

/** Sets this process's clock by so much, until `vi.restoreAllMocks`; what was measured of it stays. */
export function setClock(aheadMs: number): void {
  vi.spyOn(Date, 'now').mockImplementation(() => wall() + aheadMs);
}
