import { dateFormat } from '#server/lib/formats.ts';
import type { Locale } from '#server/lib/locales.ts';
import { propertiesOf } from '#server/lib/locales.ts';

/**
 * Writes the days of a chart, such as `2026-11-21`: with the weekday, `Sat 21 Nov`, or with the
 * year instead, `21 Nov 2025`, if not all of them are in the present year.
 */
export function dayLabels(
  { days, today }: { days: readonly string[]; today: string },
  locale: Locale,
): string[] {
  const isThisYear = days.every((day) => day.slice(0, 4) === today.slice(0, 4));
  const format = dateFormat(propertiesOf(locale).dateTag, {
    ...(isThisYear && { weekday: 'short' }),
    day: 'numeric',
    month: 'short',
    timeZone: 'UTC',
  });
  return days.map((day) => {
    const label = format.format(Date.parse(`${day}T00:00:00Z`));
    // Intl would add an abbreviation in Russian, which does not fit on a phone.
    return isThisYear ? label : `${label} ${day.slice(0, 4)}`;
  });
}
