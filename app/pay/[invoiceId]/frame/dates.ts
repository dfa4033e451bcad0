import { dateTag, type Locale } from '#app/_i18n/locales.ts';
import { dateFormat, isZone } from '#server/lib/formats.ts';

/** Date and time with the zone's name: `21 November 2026 at 15:30 UTC`. */
export function formatInstant(atMs: number, locale: Locale, timeZone: string): string {
  return dateFormat(dateTag(locale), {
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    timeZoneName: 'short',
    timeZone: isZone(timeZone) ? timeZone : 'UTC',
  }).format(atMs);
}

/** The time of day with the zone's name: `15:30 UTC`. */
export function formatTime(atMs: number, locale: Locale, timeZone: string): string {
  return dateFormat(dateTag(locale), {
    hour: '2-digit',
    minute: '2-digit',
    timeZoneName: 'short',
    timeZone: isZone(timeZone) ? timeZone : 'UTC',
  }).format(atMs);
}
