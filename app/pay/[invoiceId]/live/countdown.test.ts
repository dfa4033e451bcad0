import fc from 'fast-check';
import { expect, test } from 'vitest';
import { clockText, MILESTONES_S, milestonePassed } from './countdown.ts';
import { nextDelayMs } from './poll-schedule.ts';

test.each([
  [605, '10:05'],
  [600, '10:00'],
  [59.2, '1:00'],
  [9, '0:09'],
  [0, '0:00'],
  [-5, '0:00'],
])('%d seconds are shown as %s', (seconds, shown) => expect(clockText(seconds)).toBe(shown));

test.each([
  [600.4, 599.4, 600],
  [599, 598, null],
  [301, 300, 300],
  [61, 60, 60],
  [0.5, -0.5, 0],
  [-1, -2, null],
  // The phone has slept: only the latest milestone still holds.
  [900, 45, 60],
])('from %d to %d seconds passes %s', (before, now, milestone) => {
  expect(milestonePassed(before, now)).toBe(milestone);
});

test('each milestone is told exactly once, however uneven the ticks', () => {
  const ticks = fc.array(fc.double({ min: 0.1, max: 5, noNaN: true }), {
    minLength: 1,
    maxLength: 900,
    size: 'max',
  });
  fc.assert(
    fc.property(ticks, (steps) => {
      let left = 620;
      const told: number[] = [];
      for (const step of steps) {
        const milestone = milestonePassed(left, left - step);
        left -= step;
        if (milestone !== null) told.push(milestone);
      }
      const due = MILESTONES_S.filter((milestone) => left <= milestone);
      return JSON.stringify(told) === JSON.stringify(due);
    }),
  );
});

test('an open page looks ever less often, and soon while a payment is at work', () => {
  const calm = [0, 1, 2, 3, 4, 5, 100].map((looks) => nextDelayMs(looks, false));
  expect(calm).toEqual([...calm].sort((a, b) => a - b));
  expect(nextDelayMs(0, true)).toBeLessThanOrEqual(1_000);
  expect(nextDelayMs(1_000, false)).toBe(8_000);
});
