/** How a language writes amounts of money. */
type MoneyWriting = {
  group: string;
  decimal: string;
  /** `#` stands for the number. */
  sums: Record<'USD' | 'EUR' | 'RUB' | 'UZS', string>;
  /** The currencies in which even whole amounts have decimals. */
  alwaysExact: readonly string[];
};

type LocaleProperties = {
  /** The language by its own name, for the selector. */
  name: string;
  /** The beginning of that name, for narrow places. */
  shortName: string;
  /** The selector's label. */
  selectorName: string;
  /** The tag for dates: `21 November 2026`, a 24-hour day. */
  dateTag: string;
  /** The separator of CSV fields for a spreadsheet. */
  csvSeparator: ',' | ';';
  /** Whether a short date has its day and month in two digits, as in `05.11`. */
  padsDates: boolean;
  /** Intl does not write amounts: browsers know no Uzbek, and its Russian is `84 900,00 UZS`. */
  money: MoneyWriting;
};

/**
 * The languages of the gateway; the first is the fallback. Their texts are in
 * `server/i18n/messages/<locale>.json`; those of `uz-Cyrl` are the `uz` ones in other letters.
 */
const PROPERTIES = {
  en: {
    name: 'English',
    shortName: 'Eng',
    selectorName: 'Language',
    dateTag: 'en-GB',
    csvSeparator: ',',
    padsDates: false,
    money: {
      group: ',',
      decimal: '.',
      sums: { USD: '$#', EUR: '€#', RUB: 'RUB\u00a0#', UZS: 'UZS\u00a0#' },
      // Tiyin are no longer used.
      alwaysExact: ['USD', 'EUR', 'RUB'],
    },
  },
  ru: {
    name: 'Русский',
    shortName: 'Рус',
    selectorName: 'Язык',
    dateTag: 'ru',
    csvSeparator: ';',
    padsDates: true,
    money: {
      group: '\u00a0',
      decimal: ',',
      sums: { USD: '#\u00a0$', EUR: '#\u00a0€', RUB: '#\u00a0₽', UZS: '#\u00a0сум' },
      alwaysExact: [],
    },
  },
  uz: {
    name: 'Oʻzbekcha',
    shortName: 'Oʻzb',
    selectorName: 'Til',
    dateTag: 'uz-Latn',
    csvSeparator: ';',
    padsDates: false,
    money: {
      group: '\u00a0',
      decimal: ',',
      sums: { USD: '#\u00a0$', EUR: '#\u00a0€', RUB: '#\u00a0₽', UZS: '#\u00a0soʻm' },
      alwaysExact: [],
    },
  },
  'uz-Cyrl': {
    name: 'Ўзбекча',
    shortName: 'Ўзб',
    selectorName: 'Тил',
    dateTag: 'uz-Cyrl',
    csvSeparator: ';',
    padsDates: false,
    money: {
      group: '\u00a0',
      decimal: ',',
      sums: { USD: '#\u00a0$', EUR: '#\u00a0€', RUB: '#\u00a0₽', UZS: '#\u00a0сўм' },
      alwaysExact: [],
    },
  },
} satisfies Record<string, LocaleProperties>;

export type Locale = keyof typeof PROPERTIES;
export const LOCALES = Object.keys(PROPERTIES) as [Locale, ...Locale[]];
export const DEFAULT_LOCALE: Locale = LOCALES[0];

export const LOCALE_COOKIE = 'locale';
/** A chosen language is remembered for a year. */
export const LOCALE_COOKIE_MAX_AGE_S = 365 * 24 * 60 * 60;

export type Language = Exclude<Locale, 'uz-Cyrl'>;

/** The language without its script. */
export function languageOf(locale: Locale): Language {
  return locale === 'uz-Cyrl' ? 'uz' : locale;
}

/** The properties of a language. */
export function propertiesOf(locale: Locale): LocaleProperties {
  return PROPERTIES[locale];
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
 * (RFC 9110, 12.5.4; by primary subtag, so that `ru-UZ` gets Russian, and Uzbek by its
 * script too), else the fallback.
 */
export function negotiateLocale(
  cookie: string | undefined,
  acceptLanguage: string | null,
  fallback: Locale = DEFAULT_LOCALE,
): Locale {
  if (isLocale(cookie)) return cookie;
  const preferences = (acceptLanguage ?? '')
    .slice(0, 500)
    .split(',')
    .map(parsePreference)
    .filter(({ quality }) => quality > 0)
    .sort((a, b) => b.quality - a.quality);
  for (const { tag } of preferences) {
    if (/^uz-cyrl\b/.test(tag)) return 'uz-Cyrl';
    const primary = tag.split('-')[0];
    if (isLocale(primary)) return primary;
  }
  return fallback;
}
