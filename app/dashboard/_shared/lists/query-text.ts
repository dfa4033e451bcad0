import { isDay } from '#server/lib/formats.ts';
import { storablePart } from '#server/lib/typed-text.ts';
import { startOfDay } from '#server/lib/zone-days.ts';

/** A screen's query, as Next passes it. */
export type SearchParams = Record<string, string | string[] | undefined>;

/**
 * A text of the address, `''` for none; the first if there are two.
 *
 * @param most UTF-16 units, as the procedure counts; a longer text is cut off
 */
export function queryText(value: SearchParams[string], most = 255): string {
  const first = Array.isArray(value) ? value[0] : value;
  return storablePart(first?.slice(0, most) ?? '');
}

/**
 * The first and the last day, as `2026-11-21`, `''` for none. The earlier comes first, because the
 * reverse range would be empty.
 */
export function queryDays(search: SearchParams): { from: string; to: string } {
  const day = (value: string): string => (isDay(value) ? value : '');
  const [from, to] = [day(queryText(search.from)), day(queryText(search.to))];
  return to !== '' && to < from ? { from: to, to: from } : { from, to };
}

/** One of these choices, `''` for anything else. */
export function oneOf<T extends string>(choices: readonly T[], value: string): '' | T {
  return choices.find((choice) => choice === value) ?? '';
}

/** Whether any of these filters is set. */
export function hasAny(filters: Record<string, string>): boolean {
  return Object.values(filters).some((value) => value !== '');
}

/** The query of a list's address with these filters; empty ones are left out. */
export function queryString<Query extends Record<string, string>>(
  query: Query,
  more: Partial<Query> & { after?: string; merchant?: string } = {},
): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries<string>({ ...query, ...more })) {
    if (value !== '') search.set(name, value);
  }
  return search.size > 0 ? `?${search}` : '';
}

/** The bounds of these days as the procedures take them, in the viewer's zone. */
export function daysInZone({ from, to }: { from: string; to: string }, timeZone: string) {
  return {
    fromMs: from === '' ? null : startOfDay(from, 0, timeZone),
    untilMs: to === '' ? null : startOfDay(to, 1, timeZone),
  };
}
