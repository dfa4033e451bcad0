import fc from 'fast-check';
import { expect, it } from 'vitest';
import { startOfDay } from './zone-days.ts';

it.each([
  ['2026-11-21', 0, 'UTC', '2026-11-21T00:00:00.000Z'],
  ['2026-11-21', 0, 'Asia/Tashkent', '2026-11-20T19:00:00.000Z'],
  ['2026-11-21', 1, 'America/New_York', '2026-11-22T05:00:00.000Z'],
  // The clocks change on these days.
  ['2026-03-29', 0, 'Europe/Berlin', '2026-03-28T23:00:00.000Z'],
  ['2026-03-29', 1, 'Europe/Berlin', '2026-03-29T22:00:00.000Z'],
  ['2026-10-25', 1, 'Europe/Berlin', '2026-10-25T23:00:00.000Z'],
  // The clocks change at midnight west of Greenwich, forward to one and back from one.
  ['2026-09-06', 0, 'America/Santiago', '2026-09-06T04:00:00.000Z'],
  ['2026-09-05', 1, 'America/Santiago', '2026-09-06T04:00:00.000Z'],
  ['2026-03-08', 0, 'America/Havana', '2026-03-08T05:00:00.000Z'],
  ['2026-11-01', 0, 'America/Havana', '2026-11-01T04:00:00.000Z'],
  ['2026-03-29', 0, 'Atlantic/Azores', '2026-03-29T01:00:00.000Z'],
  ['2026-04-24', 0, 'Africa/Cairo', '2026-04-23T22:00:00.000Z'],
  // This calendar has no 30th of December.
  ['2011-12-30', 0, 'Pacific/Apia', '2011-12-30T10:00:00.000Z'],
  ['2011-12-31', 0, 'Pacific/Apia', '2011-12-30T10:00:00.000Z'],
  // Databases and ISO dates agree only within these limits.
  ['9999-12-31', 1, 'America/New_York', '9999-12-31T23:59:59.999Z'],
  ['9999-12-31', 1, 'UTC', '9999-12-31T23:59:59.999Z'],
  ['0000-01-01', 0, 'America/New_York', '1970-01-01T00:00:00.000Z'],
])('%s + %i in %s begins at %s', (day, later, zone, expected) => {
  expect(new Date(startOfDay(day, later, zone) ?? 0).toISOString()).toBe(expected);
});

it.each(['2026-13-01', '2026-02-29'])('null for %s, a day that there is not', (day) => {
  expect(startOfDay(day, 0, 'UTC')).toBeNull();
});

const DAY_MS = 86_400_000;
const dayAt = (atMs: number): string => new Date(atMs).toISOString().slice(0, 10);

/** The date in a zone; the Swedish date format is ISO 8601. */
function calendarOf(timeZone: string): (atMs: number) => string {
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' });
  return (atMs) => format.format(atMs);
}

/** A day begins where a later one does only if the calendar leaves it out. */
function expectToBegin(day: string, timeZone: string, calendar: (atMs: number) => string): void {
  const atMs = startOfDay(day, 0, timeZone) ?? Number.NaN;
  const [last, first] = [calendar(atMs - 1), calendar(atMs)];
  const isRight =
    last < day && (first === day || (first > day && last === dayAt(Date.parse(day) - DAY_MS)));
  expect(isRight ? 'right' : `${day} in ${timeZone}: ${last}, ${first}`).toBe('right');
}

const ZONES = Intl.supportedValuesOf('timeZone');

it('begins every day where the calendar turns to it, in every zone', () => {
  const days = fc.integer({ min: 1, max: 24_836 }).map((count) => dayAt(count * DAY_MS));
  fc.assert(
    fc.property(fc.constantFrom(...ZONES), days, (zone, day) => {
      expectToBegin(day, zone, calendarOf(zone));
    }),
    { numRuns: 2_000 },
  );
});

it.each([1993, 2011, 2026])('so it does in every week of %i in which clocks change', (year) => {
  let weeks = 0;
  for (const zone of ZONES) {
    const clock = new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'longOffset' });
    const calendar = calendarOf(zone);
    const offsetAt = (atMs: number) => clock.format(atMs).split(', ')[1];
    for (let week = 0; week < 52; week += 1) {
      const beganMs = Date.UTC(year, 0, 1 + 7 * week);
      if (offsetAt(beganMs) === offsetAt(beganMs + 7 * DAY_MS)) continue;
      weeks += 1;
      for (let nth = 0; nth <= 8; nth += 1) {
        expectToBegin(dayAt(beganMs + nth * DAY_MS), zone, calendar);
      }
    }
  }
  expect(weeks).toBeGreaterThan(150);
});
