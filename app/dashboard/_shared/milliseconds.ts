import { numberFormat } from '#server/lib/formats.ts';
import type { Locale } from '#server/lib/locales.ts';

/** `12.3 ms`: never parted from its unit, whose name depends on the language. */
export function millisecondsText(durationMs: number, locale: Locale): string {
  const format = numberFormat(locale, {
    style: 'unit',
    unit: 'millisecond',
    unitDisplay: 'short',
    maximumFractionDigits: 1,
  });
  return format.format(durationMs).replace(' ', '\u00a0');
}
