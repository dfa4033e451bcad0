import { dateFormat, isDay } from '#server/lib/formats.ts';
import type { SearchParams } from '../../_shared/lists/query-text.ts';
import { startOfDay } from '../../_shared/lists/zone-days.ts';

const DAY_MS = 86_400_000;
export const RANGES = [7, 30, 90] as const;
const MAX_DAYS = 366;

/** Days of a calendar, as `2026-11-21`, the first and the last included. */
export type DayRange = {
  days: string[];
  daysBefore: string[];
  today: string;
  /** One of the ready ranges, or null for one's own. */
  preset: number | null;
  isCut: boolean;
};

/** The day that is `by` days after another. */
function shifted(day: string, by: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + by * DAY_MS).toISOString().slice(0, 10);
}

/** What the calendar of a zone shows at an instant. */
function dayOf(atMs: number, timeZone: string): string {
  // Sweden writes dates as ISO 8601 does.
  return dateFormat('sv-SE', { timeZone, dateStyle: 'short' }).format(atMs);
}

/** A day of the calendar since 1970, and no later than today: of what is to come nothing is known. */
function given(value: string | string[] | undefined, today: string): string | null {
  if (typeof value !== 'string' || !isDay(value) || value < '1970-01-01') return null;
  return value < today ? value : today;
}

/**
 * Reads the address: `?range=30`, or two days in either order, `?from=…&to=…`, the second of which is
 * today where it is left out; else the last seven days, today among them.
 */
export function readDayRange(search: SearchParams, nowMs: number, timeZone: string): DayRange {
  const today = dayOf(nowMs, timeZone);
  const [one, other] = [given(search.from, today), given(search.to, today) ?? today];
  const isOwn = one !== null;
  const [from, to] = isOwn && one > other ? [other, one] : [one, other];
  const preset = isOwn ? null : (RANGES.find((each) => String(each) === search.range) ?? 7);
  const last = isOwn ? to : today;
  const wanted =
    from !== null ? Math.round((Date.parse(last) - Date.parse(from)) / DAY_MS) + 1 : (preset ?? 7);
  const count = Math.min(wanted, MAX_DAYS);
  const lastDays = (end: string): string[] =>
    Array.from({ length: count }, (_, index) => shifted(end, index + 1 - count));
  return {
    days: lastDays(last),
    daysBefore: lastDays(shifted(last, -count)),
    today,
    preset,
    isCut: count < wanted,
  };
}

/** Where the days begin in a zone and where the last one ends, milliseconds. */
export function edgesOf(days: readonly string[], timeZone: string): number[] {
  const begins = days.map((day) => startOfDay(day, 0, timeZone) ?? 0);
  return [...begins, startOfDay(days.at(-1) ?? '', 1, timeZone) ?? 0];
}

/**
 * The same for the days that a range is compared with: where the range ends today, they end at
 * this time of the day, for a day that has just begun would seem a bad one.
 */
export function edgesBefore({ days, daysBefore }: DayRange, timeZone: string, nowMs: number) {
  const edges = edgesOf(daysBefore, timeZone);
  const [todayMs = 0, endMs = 0] = edgesOf(days.slice(-1), timeZone);
  const beganMs = edges.at(-2) ?? 0;
  if (nowMs <= todayMs || nowMs >= endMs) return { edgesMs: edges, isUntilNow: false };
  const lastMs = Math.min(edges.at(-1) ?? 0, beganMs + nowMs - todayMs);
  return { edgesMs: [...edges.slice(0, -1), lastMs], isUntilNow: true };
}
