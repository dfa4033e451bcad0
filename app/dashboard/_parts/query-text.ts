import { isDay } from '#server/lib/calendar-day.ts';
import { storablePart } from '#server/lib/storable-text.ts';

/** A screen's address, as Next hands it over. */
export type SearchParams = Record<string, string | string[] | undefined>;

/**
 * A text of the address, `''` for none; the first where it stands there twice.
 *
 * @param most UTF-16 units, as the procedure counts; what is longer is cut off
 */
export function queryText(value: SearchParams[string], most = 255): string {
  const first = Array.isArray(value) ? value[0] : value;
  return storablePart(first?.slice(0, most) ?? '');
}

/**
 * The first and the last day, as `2026-11-21`, `''` for none. The earlier is the first: between a
 * day and one before it nothing could be found.
 */
export function queryDays(search: SearchParams): { from: string; to: string } {
  const day = (value: string): string => (isDay(value) ? value : '');
  const [from, to] = [day(queryText(search.from)), day(queryText(search.to))];
  return to !== '' && to < from ? { from: to, to: from } : { from, to };
}
