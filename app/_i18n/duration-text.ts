import { numberFormat } from '#server/lib/formats.ts';

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

type Unit = 'day' | 'hour' | 'minute' | 'second' | 'millisecond';

function amount(value: number, unit: Unit, locale: string): string {
  return numberFormat(locale, { style: 'unit', unit, unitDisplay: 'short' }).format(value);
}

/** A length of time as a person says it, in its two largest units: `3 hr 12 min`. */
export function durationText(ms: number, locale: string): string {
  if (ms < SECOND_MS) return amount(Math.round(ms), 'millisecond', locale);
  const pairs: [number, Unit, number, Unit][] = [
    [DAY_MS, 'day', HOUR_MS, 'hour'],
    [HOUR_MS, 'hour', MINUTE_MS, 'minute'],
  ];
  for (const [largeMs, large, smallMs, small] of pairs) {
    if (ms < largeMs) continue;
    const rest = Math.floor((ms % largeMs) / smallMs);
    const head = amount(Math.floor(ms / largeMs), large, locale);
    return rest === 0 ? head : `${head} ${amount(rest, small, locale)}`;
  }
  return ms < MINUTE_MS
    ? amount(Math.floor(ms / SECOND_MS), 'second', locale)
    : amount(Math.floor(ms / MINUTE_MS), 'minute', locale);
}
