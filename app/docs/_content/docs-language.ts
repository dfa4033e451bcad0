import type { Locale } from '#server/lib/locales.ts';

/** The languages of the documentation; the first has every page. */
export const DOCS_LANGUAGES = ['en', 'ru'] as const;
export type DocsLanguage = (typeof DOCS_LANGUAGES)[number];

const RUSSIAN = /^\/docs\/ru(?=[/?#]|$)/;

/** The language of the page of the docs at a path. */
export function docsLanguageAt(path: string): DocsLanguage {
  return RUSSIAN.test(path) ? 'ru' : 'en';
}

/**
 * The address of a page of the docs for a reader of a language. Every page stands at an address
 * below `/docs/ru` as well; anchors are the same.
 *
 * @param address `/docs/…` in either language; any other stays as it is
 */
export function docsAddress(address: string, locale: Locale): string {
  const english = address.replace(RUSSIAN, '/docs');
  return locale === 'ru' ? english.replace(/^\/docs(?=[/?#]|$)/, '/docs/ru') : english;
}
