import { dateFormat, isZone } from '../lib/formats.ts';
import { type Locale, propertiesOf } from '../lib/locales.ts';

type Parts = Partial<Record<Intl.DateTimeFormatPartTypes, string>>;

/** A time in numbers, equal in every browser, and the zone's difference: `GMT+5`. */
function partsOf(atMs: number, locale: Locale, timeZone: string): Parts {
  const format = dateFormat(propertiesOf(locale).dateTag, {
    calendar: 'gregory',
    numberingSystem: 'latn',
    hourCycle: 'h23',
    day: 'numeric',
    month: 'numeric',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    timeZoneName: 'short',
    timeZone,
  });
  return Object.fromEntries(format.formatToParts(atMs).map(({ type, value }) => [type, value]));
}

function dateAndTime(atMs: number, locale: Locale, timeZone: string): string {
  return dateFormat(propertiesOf(locale).dateTag, {
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    timeZone,
  }).format(atMs);
}

const known = (timeZone: string): string => (isZone(timeZone) ? timeZone : 'UTC');

/** Date and time: `21 November 2026 at 15:30 GMT+5`. */
export function formatInstant(atMs: number, locale: Locale, timeZone: string): string {
  const zone = known(timeZone);
  return `${dateAndTime(atMs, locale, zone)} ${partsOf(atMs, locale, zone).timeZoneName}`;
}

/** Date and time with the zone's name: `21 November 2026 at 15:30 (Asia/Tashkent, GMT+5)`. */
export function formatZonedInstant(atMs: number, locale: Locale, timeZone: string): string {
  const zone = known(timeZone);
  const names = new Set([zone, partsOf(atMs, locale, zone).timeZoneName]);
  return `${dateAndTime(atMs, locale, zone)} (${[...names].join(', ')})`;
}

/** The time of day: `15:30 GMT+5`. */
export function formatTime(atMs: number, locale: Locale, timeZone: string): string {
  const { hour, minute, timeZoneName } = partsOf(atMs, locale, known(timeZone));
  return `${hour}:${minute} ${timeZoneName}`;
}
