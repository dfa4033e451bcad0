import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { countFailure, restartDelayMs } from './back-off.ts';

describe('back-off of restarts', () => {
  it('starts at 200 ms, never shrinks and never passes 10 s', () => {
    expect(restartDelayMs(1)).toBe(200);
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 2000 }), (failures) => {
        expect(restartDelayMs(failures + 1)).toBeGreaterThanOrEqual(restartDelayMs(failures));
        expect(restartDelayMs(failures)).toBeLessThanOrEqual(10_000);
      }),
    );
  });

  it('forgets earlier failures after a run of 30 s', () => {
    expect(countFailure(6, 29_999)).toBe(7);
    expect(countFailure(6, 30_000)).toBe(1);
  });
});
