import { numberFormat } from '#server/lib/formats.ts';

const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1_000],
] as const;

type Unit = (typeof UNITS)[number][0] | 'millisecond';

/** No figure is parted from its unit at the end of a line. */
function amount(value: number, unit: Unit, locale: string): string {
  const format = numberFormat(locale, { style: 'unit', unit, unitDisplay: 'short' });
  return format.format(value).replaceAll(' ', '\u00a0');
}

/**
 * A length of time as a person says it, in its two largest units, the smaller one rounded down:
 * `3 hr 12 min`, `2 days`, `2 min 26 sec`.
 */
export function durationText(ms: number, locale: string): string {
  const at = UNITS.findIndex(([, unitMs]) => ms >= unitMs);
  const found = UNITS[at];
  if (!found) return amount(Math.round(ms), 'millisecond', locale);
  const [unit, unitMs] = found;
  const head = amount(Math.floor(ms / unitMs), unit, locale);
  const [smaller, smallerMs] = UNITS[at + 1] ?? [];
  const rest = smaller ? Math.floor((ms % unitMs) / smallerMs) : 0;
  return smaller && rest > 0 ? `${head} ${amount(rest, smaller, locale)}` : head;
}
