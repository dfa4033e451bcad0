import fc from 'fast-check';
import { expect, test } from 'vitest';
import { EACH_UP_TO, namedDays, ticksTo } from './chart-scale.ts';

test('round figures, five at the most, and none in between two of the unit', () => {
  expect(ticksTo(0)).toEqual([0, 1]);
  expect(ticksTo(1)).toEqual([0, 1]);
  expect(ticksTo(9)).toEqual([0, 3, 6, 9]);
  expect(ticksTo(97)).toEqual([0, 25, 50, 75, 100]);
  expect(ticksTo(102)).toEqual([0, 30, 60, 90, 120]);
  expect(ticksTo(0, 100)).toEqual([0, 100]);
  expect(ticksTo(950, 100)).toEqual([0, 300, 600, 900, 1200]);
});

test('the highest is at or over the most, and by less than a step', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }), (most) => {
      const ticks = ticksTo(most);
      const [step = 0, top = 0] = [ticks[1], ticks.at(-1)];
      expect(top).toBeGreaterThanOrEqual(most);
      expect(top - most).toBeLessThan(step);
      expect(ticks.length).toBeLessThanOrEqual(5);
    }),
  );
});

test('the first and the last day are named everywhere, one in the middle nearly so, each day once', () => {
  expect(namedDays(1)).toEqual([{ index: 0, room: 'any' }]);
  expect(namedDays(2)).toEqual([
    { index: 0, room: 'any' },
    { index: 1, room: 'any' },
  ]);
  expect(namedDays(7).map(({ index }) => index)).toEqual([0, 3, 6]);
  expect(namedDays(8).map(({ index }) => index)).toEqual([0, 7]);
  expect(namedDays(30).map(({ index }) => index)).toEqual([0, 7, 15, 22, 29]);
  fc.assert(
    fc.property(fc.integer({ min: 3, max: 400 }), (count) => {
      const days = namedDays(count);
      const indexes = days.map(({ index }) => index);
      expect(indexes).toEqual([...new Set(indexes)].sort((a, b) => a - b));
      expect(days[0]).toEqual({ index: 0, room: 'any' });
      expect(days.at(-1)).toEqual({ index: count - 1, room: 'any' });
      const hasMiddle = count % 2 === 1 || count > EACH_UP_TO;
      expect(days.filter(({ room }) => room === 'some')).toHaveLength(hasMiddle ? 1 : 0);
    }),
  );
});
