import { dateFormat, isDay } from './formats.ts';

const MINUTE_MS = 60 * 1000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** The end of the year 9999 in UTC, the latest time for databases and procedures. */
const LAST_MS = 253_402_300_799_999;

/** A zone's clock: maps an instant to its reading as if that were UTC's, milliseconds. */
function clockOf(timeZone: string): (atMs: number) => number {
  const format = dateFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  return (atMs) => {
    const parts = new Map(
      format.formatToParts(atMs).map(({ type, value }) => [type, Number(value)]),
    );
    const part = (type: Intl.DateTimeFormatPartTypes): number => parts.get(type) ?? 0;
    return Date.UTC(
      part('year'),
      part('month') - 1,
      part('day'),
      part('hour'),
      part('minute'),
      part('second'),
    );
  };
}

/** The first instant at which a clock shows a midnight, or has jumped over it. */
function instantOf(midnightMs: number, clock: (atMs: number) => number): number {
  // No zone is a day away from UTC: one guess is certainly before the midnight, the other after it.
  const guesses = [midnightMs - DAY_MS, midnightMs + DAY_MS]
    .map((atMs) => midnightMs - (clock(atMs) - atMs))
    .sort((one, other) => one - other);
  const shown = guesses.find((atMs) => clock(atMs) === midnightMs);
  if (shown !== undefined) return shown;
  // The clocks go forward over midnight between the two.
  let [beforeMs = 0, afterMs = 0] = guesses;
  while (afterMs - beforeMs > 1) {
    const middleMs = Math.floor((beforeMs + afterMs) / 2);
    if (clock(middleMs) < midnightMs) beforeMs = middleMs;
    else afterMs = middleMs;
  }
  return afterMs;
}

/**
 * The start of a day in a zone, milliseconds UTC, kept between 1970 and 9999. If the clocks skip
 * midnight, it is the time they jump to; if midnight comes twice, the first.
 *
 * @param day `2026-11-21`
 * @param daysLater 1 for the start of the next day
 * @returns null when there is no such day
 */
export function startOfDay(day: string, daysLater: number, timeZone: string): number | null {
  if (!isDay(day)) return null;
  const atMs = instantOf(Date.parse(day) + daysLater * DAY_MS, clockOf(timeZone));
  return Math.min(LAST_MS, Math.max(0, atMs));
}

/**
 * The instant at which a zone's clock shows so many minutes after a day's midnight, milliseconds UTC:
 * the first where it shows them twice, the time it jumps to where it skips them.
 *
 * @param minutes of the days before and after too: below 0, or 1,440 and more
 */
export function instantInDay(day: string, minutes: number, timeZone: string): number {
  const shownMs = Date.parse(`${day}T00:00:00Z`) + minutes * MINUTE_MS;
  return Math.min(LAST_MS, Math.max(0, instantOf(shownMs, clockOf(timeZone))));
}

/** The span of a day in a zone, milliseconds; the end is not in it. */
export function spanOfDay(day: string, timeZone: string): { fromMs: number; untilMs: number } {
  return {
    fromMs: startOfDay(day, 0, timeZone) ?? 0,
    untilMs: startOfDay(day, 1, timeZone) ?? 0,
  };
}

/** The day that is `by` days after another. */
export function shiftedDay(day: string, by: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + by * DAY_MS).toISOString().slice(0, 10);
}

/** The date in a zone at an instant, as `2026-11-21`. */
export function dayOf(atMs: number, timeZone: string): string {
  // The Swedish date format is ISO 8601.
  return dateFormat('sv-SE', { timeZone, dateStyle: 'short' }).format(atMs);
}

/** A clock's reading in a file: the time, and the offset from UTC, since an hour comes twice where clocks go back. */
export type ClockReading = { time: string; offset: string };

/** Reads a zone's clock as spreadsheets do: `2026-11-21 17:04:05` and `GMT+05:00`. */
export function fileClock(timeZone: string): (atMs: number) => ClockReading {
  const format = dateFormat('sv-SE', {
    timeZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
    timeZoneName: 'longOffset',
  });
  return (atMs) => {
    const [date = '', time = '', offset = ''] = format.format(atMs).split(/\s/);
    // Swedish formats write a minus, files a hyphen.
    return { time: `${date} ${time}`, offset: offset.replace('\u2212', '-') };
  };
}
