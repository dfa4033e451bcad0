import type { Metadata } from 'next';
import { settings } from '#server/settings/settings.ts';
import { DOCS_LANGUAGES, type DocsLanguage, docsAddress } from '../_content/docs-language.ts';

/**
 * Tells search engines the addresses of a page in each language. A page that is shown in a language
 * that it is not written in points to the one that it is a copy of.
 *
 * @param written the languages in which the page is written
 */
export function sameInLanguages(
  address: string,
  language: DocsLanguage,
  written: readonly DocsLanguage[] = DOCS_LANGUAGES,
): Metadata['alternates'] {
  const at = (each: DocsLanguage) => settings().publicUrl + docsAddress(address, each);
  if (written.length < 2) return { canonical: at('en') };
  const languages = Object.fromEntries(written.map((each) => [each, at(each)]));
  return { canonical: at(language), languages: { ...languages, 'x-default': at('en') } };
}
