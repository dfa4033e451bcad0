const DAY_MS = 24 * 60 * 60 * 1000;
/** The end of the year 9999 in UTC: databases and procedures take nothing later. */
const LAST_MS = 253_402_300_799_999;

/** The clock of a zone at an instant, as if it were UTC's, milliseconds. */
function wallClockMs(atMs: number, timeZone: string): number {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  const parts = new Map(format.formatToParts(atMs).map(({ type, value }) => [type, Number(value)]));
  const part = (type: Intl.DateTimeFormatPartTypes): number => parts.get(type) ?? 0;
  return Date.UTC(
    part('year'),
    part('month') - 1,
    part('day'),
    part('hour'),
    part('minute'),
    part('second'),
  );
}

/**
 * When a day begins in a zone, milliseconds UTC, kept between 1970 and 9999.
 *
 * @param day `2026-11-21`
 * @param daysLater 1 for the beginning of the day after
 * @returns null when there is no such day
 */
export function startOfDay(day: string, daysLater: number, timeZone: string): number | null {
  const utcMs = Date.parse(`${day}T00:00:00Z`);
  if (Number.isNaN(utcMs)) return null;
  const wantedMs = utcMs + daysLater * DAY_MS;
  // Twice, because the first guess may stand on the other side of a change of clocks.
  let atMs = wantedMs;
  for (let i = 0; i < 2; i++) atMs += wantedMs - wallClockMs(atMs, timeZone);
  return Math.min(LAST_MS, Math.max(0, atMs));
}
