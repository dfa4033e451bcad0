import type { ReactNode } from 'react';
import {
  LANGUAGE_WORDS,
  LOCALE_NAMES,
  LOCALES,
  type Locale,
  SHORT_NAMES,
} from '#app/_i18n/locales.ts';

/** Who listens hears the whole name. */
function shortName(locale: Locale): ReactNode {
  return (
    <>
      <span aria-hidden="true" className="sm:hidden">
        {SHORT_NAMES[locale]}
      </span>
      <span className="max-sm:sr-only">{LOCALE_NAMES[locale]}</span>
    </>
  );
}

/** Plain links: the proxy remembers the choice and comes back, with or without JavaScript. */
export function LanguageSelector({
  locale,
  locales = LOCALES,
  isShort = false,
}: {
  locale: Locale;
  /** What the page speaks, where it does not speak all. */
  locales?: readonly Locale[];
  /** Whether a phone shows no more of a name than its beginning. */
  isShort?: boolean;
}) {
  const name = isShort ? shortName : (each: Locale) => LOCALE_NAMES[each];
  return (
    <nav aria-label={LANGUAGE_WORDS[locale]}>
      <ul className="flex flex-wrap gap-x-4 gap-y-1 text-sm">
        {locales.map((each) => (
          <li key={each} lang={each}>
            {each === locale ? (
              <span
                aria-current="true"
                className="inline-block py-1 pointer-coarse:py-2.5 font-semibold text-ink"
              >
                {name(each)}
              </span>
            ) : (
              <a
                href={`?lang=${each}`}
                hrefLang={each}
                rel="nofollow"
                className="link-quiet inline-block py-1 pointer-coarse:py-2.5"
              >
                {name(each)}
              </a>
            )}
          </li>
        ))}
      </ul>
    </nav>
  );
}
