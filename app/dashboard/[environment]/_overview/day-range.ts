import { isDay } from '#server/lib/formats.ts';
import { dayOf, shiftedDay, startOfDay } from '#server/lib/zone-days.ts';
import type { SearchParams } from '../../_shared/lists/query-text.ts';

const DAY_MS = 86_400_000;
export const RANGES = [7, 30, 90] as const;
const MAX_DAYS = 366;

/** Days of a calendar, as `2026-11-21`, the first and last included. */
export type DayRange = {
  days: string[];
  daysBefore: string[];
  today: string;
  /** The number of days in a ready range, or null for a custom one. */
  preset: number | null;
  isCut: boolean;
};

/** A calendar day between 1970 and today, because there is nothing to know about the future. */
function given(value: string | string[] | undefined, today: string): string | null {
  if (typeof value !== 'string' || !isDay(value) || value < '1970-01-01') return null;
  return value < today ? value : today;
}

/**
 * Reads the address: `?range=30`, or two days in either order, `?from=…&to=…`, the second being
 * today by default; otherwise the last seven days including today.
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
    Array.from({ length: count }, (_, index) => shiftedDay(end, index + 1 - count));
  return {
    days: lastDays(last),
    daysBefore: lastDays(shiftedDay(last, -count)),
    today,
    preset,
    isCut: count < wanted,
  };
}

/** The start of each day in a zone and the end of the last one, milliseconds. */
export function edgesOf(days: readonly string[], timeZone: string): number[] {
  const begins = days.map((day) => startOfDay(day, 0, timeZone) ?? 0);
  return [...begins, startOfDay(days.at(-1) ?? '', 1, timeZone) ?? 0];
}

/**
 * The same for the days that a range is compared with. If the range ends today, they end at the
 * present time of day, so that a day in progress does not look bad.
 */
export function edgesBefore({ days, daysBefore }: DayRange, timeZone: string, nowMs: number) {
  const edges = edgesOf(daysBefore, timeZone);
  const [todayMs = 0, endMs = 0] = edgesOf(days.slice(-1), timeZone);
  const beganMs = edges.at(-2) ?? 0;
  if (nowMs <= todayMs || nowMs >= endMs) return { edgesMs: edges, isUntilNow: false };
  const lastMs = Math.min(edges.at(-1) ?? 0, beganMs + nowMs - todayMs);
  return { edgesMs: [...edges.slice(0, -1), lastMs], isUntilNow: true };
}
