/** The languages of the pages; the first is the fallback. */
export const LOCALES = ['en', 'ru', 'uz'] as const;
export type Locale = (typeof LOCALES)[number];

export const LOCALE_COOKIE = 'locale';
/** A chosen language is remembered for a year. */
export const LOCALE_COOKIE_MAX_AGE_S = 365 * 24 * 60 * 60;

/** Each language by its own name, for the selector. */
export const LOCALE_NAMES: Record<Locale, string> = {
  en: 'English',
  ru: 'Русский',
  uz: 'Oʻzbekcha',
};

/** The beginnings of these, where there is no room for more. */
export const SHORT_NAMES: Record<Locale, string> = { en: 'Eng', ru: 'Рус', uz: 'Oʻzb' };

/** What the selector is called. */
export const LANGUAGE_WORDS: Record<Locale, string> = { en: 'Language', ru: 'Язык', uz: 'Til' };

const INTL_TAGS: Record<Locale, string> = { en: 'en', ru: 'ru', uz: 'uz-Latn' };

/** The tag that Intl formats by. */
export function intlTag(locale: Locale): string {
  return INTL_TAGS[locale];
}

/** The tag that dates are written by: `21 November 2026`, the 24 hours of a day. */
export function dateTag(locale: Locale): string {
  return locale === 'en' ? 'en-GB' : intlTag(locale);
}

export function isLocale(value: unknown): value is Locale {
  return (LOCALES as readonly unknown[]).includes(value);
}

type Preference = { tag: string; quality: number };

function parsePreference(part: string): Preference {
  const [tag = '', ...parameters] = part.split(';').map((piece) => piece.trim());
  const quality = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
  const value = quality === undefined ? 1 : Number(quality);
  return { tag: tag.toLowerCase(), quality: Number.isFinite(value) ? value : 0 };
}

/**
 * The language for a request: the cookie, else the best of `Accept-Language`
 * (RFC 9110, 12.5.4; by primary subtag, so that `uz-Cyrl-UZ` gets Uzbek), else
 * the fallback.
 */
export function negotiateLocale(
  cookie: string | undefined,
  acceptLanguage: string | null,
  fallback: Locale = 'en',
): Locale {
  if (isLocale(cookie)) return cookie;
  const preferences = (acceptLanguage ?? '')
    .slice(0, 500)
    .split(',')
    .map(parsePreference)
    .filter(({ quality }) => quality > 0)
    .sort((a, b) => b.quality - a.quality);
  for (const { tag } of preferences) {
    const primary = tag.split('-')[0];
    if (isLocale(primary)) return primary;
  }
  return fallback;
}
