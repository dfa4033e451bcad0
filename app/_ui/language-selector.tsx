import type { ComponentProps, ComponentType, ReactNode } from 'react';
import { LOCALES, type Locale, propertiesOf } from '#server/lib/locales.ts';

/** Who listens hears the whole name. */
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
 * Links, by which the proxy remembers the choice and comes back, with or without JavaScript. The
 * page's own language is none, but where the page stays and the one that was pressed has the focus.
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
  /** What the links are, where the page stays. */
  Anchor?: 'a' | ComponentType<ComponentProps<'a'>>;
}) {
  const name = isShort ? shortName : (each: Locale) => propertiesOf(each).name;
  // Of the outline that says what is chosen where the system sets the colours, too.
  const room = '-mx-1.5 inline-block px-1.5 py-1 pointer-coarse:py-2.5';
  const own = { 'aria-current': true, className: `${room} font-semibold text-ink` } as const;
  return (
    <nav aria-label={propertiesOf(locale).selectorName}>
      <ul className="flex flex-wrap gap-x-4 gap-y-1 text-sm">
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
