import { LruMap } from './lru-map.ts';
import { uzbekCyrillic } from './uzbek-cyrillic.ts';
import { DATE_NUMBERS, uzbekDate, uzbekNumber } from './uzbek-formats.ts';

// A viewer's zone comes from a cookie: made-up zones must not fill the memory.
const MOST_KEPT = 300;

/** Making a format takes a hundred times as long as using it. */
function kept<Options, Format>(
  make: (locale: string, options: Options) => Format,
): (locale: string, options: Options) => Format {
  const formats = new LruMap<string, Format>(MOST_KEPT);
  return (locale, options) => {
    const key = JSON.stringify([locale, options]);
    const known = formats.get(key);
    if (known !== undefined) return known;
    const format = make(locale, options);
    formats.set(key, format);
    return format;
  };
}

/** Writes Uzbek in the letters of its locale. */
const lettersOf = (locale: string) => (text: string) =>
  locale.startsWith('uz-Cyrl') ? uzbekCyrillic(text) : text;

const isUzbek = (locale: string): boolean => locale.split('-')[0] === 'uz';

type DateFormat = Pick<Intl.DateTimeFormat, 'format' | 'formatToParts'>;

/** Ordinals have a hyphen in Latin letters, `2026-yil 21-noyabr`, and none in Cyrillic ones. */
const withoutHyphens = (date: string): string => date.replaceAll(/(?<=\d)-(?=\p{L})/gu, ' ');

function uzbekDateFormat(locale: string, options: Intl.DateTimeFormatOptions): DateFormat {
  const numbers = new Intl.DateTimeFormat(locale, { ...DATE_NUMBERS, timeZone: options.timeZone });
  const isCyrillic = locale.startsWith('uz-Cyrl');
  const inLetters = isCyrillic
    ? (date: string) => withoutHyphens(uzbekCyrillic(date))
    : (date: string) => date;
  return {
    format: (at) => inLetters(uzbekDate(numbers.formatToParts(at), options)),
    formatToParts: (at) => numbers.formatToParts(at),
  };
}

/** As `new Intl.DateTimeFormat`, but made once and kept. @throws RangeError for an unknown zone */
export const dateFormat = kept(
  (locale: string, options: Intl.DateTimeFormatOptions): DateFormat =>
    isUzbek(locale) ? uzbekDateFormat(locale, options) : new Intl.DateTimeFormat(locale, options),
);

type NumberFormat = Pick<Intl.NumberFormat, 'format'>;

function uzbekNumberFormat(locale: string, options: Intl.NumberFormatOptions): NumberFormat {
  const russian = new Intl.NumberFormat('ru', options);
  const inLetters = lettersOf(locale);
  return {
    format: (value: number | bigint) => inLetters(uzbekNumber(russian.formatToParts(value))),
  };
}

/** As `new Intl.NumberFormat`, but made once and kept. */
export const numberFormat = kept(
  (locale: string, options: Intl.NumberFormatOptions): NumberFormat =>
    isUzbek(locale) ? uzbekNumberFormat(locale, options) : new Intl.NumberFormat(locale, options),
);

/** Whether the runtime knows a zone by this IANA name. It knows more names than it lists. */
export function isZone(timeZone: string): boolean {
  // Some runtimes also accept an offset such as `+05:00`.
  if (!/^[a-z]/i.test(timeZone)) return false;
  try {
    dateFormat('en', { timeZone });
    return true;
  } catch {
    return false;
  }
}

/** Whether a text is a calendar day, as `2026-11-21`. JavaScript reads 30 February as 2 March. */
export function isDay(text: string): boolean {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return false;
  const time = new Date(text);
  return !Number.isNaN(time.getTime()) && time.toISOString().startsWith(text);
}

/** Whether a URL names this machine itself. */
export function isLoopbackUrl(url: string): boolean {
  const { hostname } = new URL(url);
  return (
    hostname === 'localhost' ||
    hostname.endsWith('.localhost') ||
    hostname === '[::1]' ||
    /^127\.\d+\.\d+\.\d+$/.test(hostname)
  );
}
