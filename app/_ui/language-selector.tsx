import type { ComponentProps, ComponentType, ReactNode } from 'react';
import { LOCALES, type Locale, propertiesOf } from '#server/lib/locales.ts';

/** Screen readers read the whole name. */
function shortName(locale: Locale): ReactNode {
  return (
    <>
      <span aria-hidden="true" className="sm:hidden">
        {propertiesOf(locale).shortName}
      </span>
      <span className="max-sm:sr-only">{propertiesOf(locale).name}</span>
    </>
  );
}

/**
 * The languages as links: the proxy remembers the choice and returns to the page, even without
 * JavaScript. The page's own language is no link, except on a page that stays, where the pressed
 * link has the focus.
 */
export function LanguageSelector({
  locale,
  locales = LOCALES,
  isShort = false,
  Anchor = 'a',
}: {
  locale: Locale;
  /** The page's languages, if it does not have all of them. */
  locales?: readonly Locale[];
  /** Whether a phone shows only the beginning of a name. */
  isShort?: boolean;
  /** The element of the links on a page that stays. */
  Anchor?: 'a' | ComponentType<ComponentProps<'a'>>;
}) {
  const name = isShort ? shortName : (each: Locale) => propertiesOf(each).name;
  // The room includes the outline that marks the choice where the system sets the colours.
  const room = '-mx-1.5 inline-block px-1.5 py-1 pointer-coarse:py-2.5';
  const own = { 'aria-current': true, className: `${room} font-semibold text-ink` } as const;
  return (
    <nav aria-label={propertiesOf(locale).selectorName}>
      <ul className="flex flex-wrap gap-x-3 gap-y-1 text-sm sm:gap-x-4">
        {locales.map((each) => (
          <li key={each} lang={each}>
            {each === locale && Anchor === 'a' ? (
              <span {...own}>{name(each)}</span>
            ) : (
              <Anchor
                href={`?lang=${each}`}
                hrefLang={each}
                rel="nofollow"
                {...(each === locale ? own : { className: `${room} link-quiet` })}
              >
                {name(each)}
              </Anchor>
            )}
          </li>
        ))}
      </ul>
    </nav>
  );
}
