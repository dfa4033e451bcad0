import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MAX_ATTEMPTS, parseRetryAfterMs, RETRY_DELAYS_MS, retryDelayMs } from './schedule.ts';

const NOW = new Date('2026-11-21T12:00:00.000Z');
const none = { retryAfterMs: null, random: 0 };
const attempts = fc.integer({ min: 1, max: MAX_ATTEMPTS - 1 });
const chance = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });

describe('retryDelayMs', () => {
  test('11 attempts over 75 h 35 min', () => {
    expect(MAX_ATTEMPTS).toBe(11);
    const totalMs = RETRY_DELAYS_MS.reduce((sum, delayMs) => sum + delayMs, 0);
    expect(Math.floor(totalMs / 60_000)).toBe(75 * 60 + 35);
    const seconds = Array.from({ length: 10 }, (_, i) => (retryDelayMs(i + 1, none) ?? 0) / 1000);
    expect(seconds).toEqual([5, 30, 300, 1800, 7200, 18000, 36000, 50400, 72000, 86400]);
  });

  test('null after the last attempt and after every resend beyond it', () => {
    expect(retryDelayMs(11, none)).toBeNull();
    expect(retryDelayMs(12, { retryAfterMs: 1000, random: 0.5 })).toBeNull();
  });

  test('jitter is added only, and at most a tenth', () => {
    fc.assert(
      fc.property(attempts, chance, (attempt, random) => {
        const stepMs = RETRY_DELAYS_MS[attempt - 1]!;
        const delayMs = retryDelayMs(attempt, { retryAfterMs: null, random })!;
        expect(delayMs).toBeGreaterThanOrEqual(stepMs);
        expect(delayMs).toBeLessThanOrEqual(stepMs * 1.1);
      }),
    );
  });

  test('Retry-After counts between the delay of the step and twice it', () => {
    expect(retryDelayMs(2, { retryAfterMs: 45_000, random: 0 })).toBe(45_000);
    expect(retryDelayMs(2, { retryAfterMs: 1_000, random: 0 })).toBe(30_000);
    expect(retryDelayMs(2, { retryAfterMs: 3_600_000, random: 0 })).toBe(60_000);
    fc.assert(
      fc.property(attempts, chance, fc.nat(), (attempt, random, retryAfterMs) => {
        const stepMs = RETRY_DELAYS_MS[attempt - 1]!;
        const delayMs = retryDelayMs(attempt, { retryAfterMs, random })!;
        expect(delayMs).toBeGreaterThanOrEqual(stepMs);
        expect(delayMs).toBeLessThanOrEqual(stepMs * 2);
      }),
    );
  });
});

describe('parseRetryAfterMs', () => {
  test.each([
    ['120', 120_000],
    [' 0 ', 0],
    ['1000000000000', 1e15],
    ['Sat, 21 Nov 2026 12:00:30 GMT', 30_000],
    ['Saturday, 21-Nov-26 12:00:30 GMT', 30_000],
    ['Sat Nov 21 12:00:30 2026', 30_000],
    ['Sat, 21 Nov 2026 11:59:00 GMT', 0],
  ])('%s is read', (header, expected) => {
    expect(parseRetryAfterMs(header, NOW)).toBe(expected);
  });

  test.each([null, '', 'soon', '-5', '1.5', '2027-01-01', '1e3', 'Sat, 99 Nov 2026 12:00:00 GMT'])(
    '%s counts as none',
    (header) => {
      expect(parseRetryAfterMs(header, NOW)).toBeNull();
    },
  );
});
