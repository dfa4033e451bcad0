import fc from 'fast-check';
import { expect, test } from 'vitest';
import { TokenBuckets } from './token-bucket.ts';

test('a burst passes, then the wait is told, and after it one more passes', () => {
  const buckets = new TokenBuckets({ perSecond: 10, burst: 3 }, 10);
  expect([1, 2, 3].map(() => buckets.take('a', 0))).toEqual([0, 0, 0]);
  expect(buckets.take('a', 0)).toBe(100);
  expect(buckets.take('a', 99)).toBeGreaterThan(0);
  expect(buckets.take('a', 100)).toBe(0);
  expect(buckets.take('b', 100)).toBe(0);
});

test('what is put back can be taken again, and makes no burst larger', () => {
  const buckets = new TokenBuckets({ perSecond: 1, burst: 2 }, 10);
  buckets.give('a');
  expect([1, 2, 3].map(() => buckets.take('a', 0))).toEqual([0, 0, 1000]);
  buckets.give('a');
  expect([1, 2].map(() => buckets.take('a', 0))).toEqual([0, 1000]);
  for (let i = 0; i < 5; i++) buckets.give('a');
  expect([1, 2, 3].map(() => buckets.take('a', 0))).toEqual([0, 0, 1000]);
});

test('a clock that is set back gives nothing away and does not lock anybody out', () => {
  const buckets = new TokenBuckets({ perSecond: 1, burst: 1 }, 10);
  expect(buckets.take('a', 1_000_000)).toBe(0);
  expect(buckets.take('a', 0)).toBe(1000);
  expect(buckets.take('a', 1000)).toBe(0);
});

test('there are never more keys than allowed', () => {
  const buckets = new TokenBuckets({ perSecond: 1, burst: 1 }, 2);
  for (const key of ['a', 'b', 'c', 'd']) buckets.take(key, 0);
  expect(buckets.size).toBe(2);
});

test('in no window do more pass than the burst and what was filled in it', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 50 }),
      fc.integer({ min: 1, max: 20 }),
      fc.array(fc.nat(500), { minLength: 1, maxLength: 200, size: 'max' }),
      (perSecond, burst, gapsMs) => {
        const buckets = new TokenBuckets({ perSecond, burst }, 1);
        const passedAtMs: number[] = [];
        let nowMs = 0;
        for (const gapMs of gapsMs) {
          nowMs += gapMs;
          if (buckets.take('a', nowMs) === 0) passedAtMs.push(nowMs);
        }
        let tooMany = 0;
        for (const [first, fromMs] of passedAtMs.entries()) {
          for (const [last, toMs] of passedAtMs.entries()) {
            if (last < first) continue;
            const allowed = burst + ((toMs - fromMs) / 1000) * perSecond;
            tooMany = Math.max(tooMany, last - first + 1 - allowed);
          }
        }
        expect(tooMany).toBeLessThanOrEqual(1e-6);
      },
    ),
    { numRuns: 100 },
  );
});
