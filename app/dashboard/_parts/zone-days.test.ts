import { expect, it } from 'vitest';
import { startOfDay } from './zone-days.ts';

it.each([
  ['2026-11-21', 0, 'UTC', '2026-11-21T00:00:00.000Z'],
  ['2026-11-21', 0, 'Asia/Tashkent', '2026-11-20T19:00:00.000Z'],
  ['2026-11-21', 1, 'America/New_York', '2026-11-22T05:00:00.000Z'],
  // Clocks went forward and back on these days.
  ['2026-03-29', 0, 'Europe/Berlin', '2026-03-28T23:00:00.000Z'],
  ['2026-03-29', 1, 'Europe/Berlin', '2026-03-29T22:00:00.000Z'],
  ['2026-10-25', 1, 'Europe/Berlin', '2026-10-25T23:00:00.000Z'],
  // No later and no earlier than a database and an ISO date write alike.
  ['9999-12-31', 1, 'America/New_York', '9999-12-31T23:59:59.999Z'],
  ['9999-12-31', 1, 'UTC', '9999-12-31T23:59:59.999Z'],
  ['0000-01-01', 0, 'America/New_York', '1970-01-01T00:00:00.000Z'],
])('%s + %i in %s begins at %s', (day, later, zone, expected) => {
  expect(new Date(startOfDay(day, later, zone) ?? 0).toISOString()).toBe(expected);
});

it('null for a day that there is not', () => {
  expect(startOfDay('2026-13-01', 0, 'UTC')).toBeNull();
});
