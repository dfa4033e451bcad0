import { numberFormat } from '#server/lib/formats.ts';

const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1_000],
] as const;

type Width = 'short' | 'narrow';
type Unit = (typeof UNITS)[number][0] | 'millisecond';

/** A line break never parts a figure from its unit. */
function amount(value: number, unit: Unit, locale: string, unitDisplay: Width): string {
  const format = numberFormat(locale, { style: 'unit', unit, unitDisplay });
  return format.format(value).replaceAll(' ', '\u00a0');
}

/**
 * A duration as a person says it, in its two largest units, the smaller one rounded down: `3 hr 12
 * min`, `2 days`, `2 min 26 sec`; narrow, `2m 26s`.
 */
export function durationText(ms: number, locale: string, width: Width = 'short'): string {
  const at = UNITS.findIndex(([, unitMs]) => ms >= unitMs);
  const found = UNITS[at];
  if (!found) return amount(Math.round(ms), 'millisecond', locale, width);
  const [unit, unitMs] = found;
  const head = amount(Math.floor(ms / unitMs), unit, locale, width);
  const [smaller, smallerMs] = UNITS[at + 1] ?? [];
  const rest = smaller ? Math.floor((ms % unitMs) / smallerMs) : 0;
  return smaller && rest > 0 ? `${head} ${amount(rest, smaller, locale, width)}` : head;
}
