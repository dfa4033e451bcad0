import type { SearchParams } from './invoice-query.ts';
import { startOfDay } from './zone-days.ts';

const DAY_MS = 86_400_000;
export const RANGES = [7, 30, 90] as const;
const MAX_DAYS = 366;

/** Days of a calendar, as `2026-11-21`, the first and the last included. */
export type DayRange = {
  days: string[];
  daysBefore: string[];
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
  return new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' }).format(atMs);
}

function given(value: string | string[] | undefined): string | null {
  const isDay = typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value);
  return isDay && !Number.isNaN(Date.parse(value)) ? value : null;
}

/** Reads the address: `?range=30`, or `?from=…&to=…`; else the last seven days, today among them. */
export function readDayRange(search: SearchParams, nowMs: number, timeZone: string): DayRange {
  const today = dayOf(nowMs, timeZone);
  const [from, to] = [given(search.from), given(search.to) ?? today];
  const isOwn = from !== null && from <= to;
  const preset = isOwn ? null : (RANGES.find((each) => String(each) === search.range) ?? 7);
  const last = isOwn ? to : today;
  const wanted = isOwn
    ? Math.round((Date.parse(last) - Date.parse(from)) / DAY_MS) + 1
    : (preset ?? 7);
  const count = Math.min(wanted, MAX_DAYS);
  const lastDays = (end: string): string[] =>
    Array.from({ length: count }, (_, index) => shifted(end, index + 1 - count));
  return {
    days: lastDays(last),
    daysBefore: lastDays(shifted(last, -count)),
    preset,
    isCut: count < wanted,
  };
}

/** Where the days begin in a zone and where the last one ends, milliseconds. */
export function edgesOf(days: readonly string[], timeZone: string): number[] {
  const begins = days.map((day) => startOfDay(day, 0, timeZone) ?? 0);
  return [...begins, startOfDay(days.at(-1) ?? '', 1, timeZone) ?? 0];
}
