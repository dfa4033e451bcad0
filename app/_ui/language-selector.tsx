import type { ComponentProps, ComponentType, ReactNode } from 'react';
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

/**
 * Links, by which the proxy remembers the choice and comes back, with or without JavaScript. That of
 * the page's own language is one as well: it may have the focus of who has just pressed it.
 */
export function LanguageSelector({
  locale,
  locales = LOCALES,
  isShort = false,
  Anchor = 'a',
}: {
  locale: Locale;
  /** What the page speaks, where it does not speak all. */
  locales?: readonly Locale[];
  /** Whether a phone shows no more of a name than its beginning. */
  isShort?: boolean;
  /** What the links are, where they do more than to lead on. */
  Anchor?: 'a' | ComponentType<ComponentProps<'a'>>;
}) {
  const name = isShort ? shortName : (each: Locale) => LOCALE_NAMES[each];
  return (
    <nav aria-label={LANGUAGE_WORDS[locale]}>
      <ul className="flex flex-wrap gap-x-4 gap-y-1 text-sm">
        {locales.map((each) => (
          <li key={each} lang={each}>
            <Anchor
              href={`?lang=${each}`}
              hrefLang={each}
              rel="nofollow"
              aria-current={each === locale ? 'true' : undefined}
              className={`inline-block py-1 pointer-coarse:py-2.5 ${
                each === locale ? 'font-semibold text-ink' : 'link-quiet'
              }`}
            >
              {name(each)}
            </Anchor>
          </li>
        ))}
      </ul>
    </nav>
  );
}
