import { LANGUAGE_WORDS, LOCALE_NAMES, LOCALES, type Locale } from '#app/_i18n/locales.ts';

/** Plain links: the proxy remembers the choice and comes back, with or without JavaScript. */
export function LanguageSelector({
  locale,
  locales = LOCALES,
}: {
  locale: Locale;
  /** What the page speaks, where it does not speak all. */
  locales?: readonly Locale[];
}) {
  return (
    <nav aria-label={LANGUAGE_WORDS[locale]}>
      <ul className="flex flex-wrap gap-x-4 gap-y-1 text-sm">
        {locales.map((each) => (
          <li key={each} lang={each}>
            {each === locale ? (
              <span aria-current="true" className="inline-block py-1 font-semibold text-ink">
                {LOCALE_NAMES[each]}
              </span>
            ) : (
              <a
                href={`?lang=${each}`}
                hrefLang={each}
                rel="nofollow"
                className="link-quiet inline-block py-1"
              >
                {LOCALE_NAMES[each]}
              </a>
            )}
          </li>
        ))}
      </ul>
    </nav>
  );
}
