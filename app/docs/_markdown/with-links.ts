import type { DocsLanguage } from '../_content/docs-language.ts';

/** A text whose links lead to the pages in a language. */
export function withLinks(text: string, language: DocsLanguage): string {
  return language === 'en' ? text : text.replaceAll(/\]\(\/docs(?=[/#)])/g, `](/docs/${language}`);
}
