import { headers } from 'next/headers';
import { type DocsLanguage, docsLanguageAt } from '../_content/docs-language.ts';

/** The language of the page that is being rendered, by its address. */
export async function docsLanguage(): Promise<DocsLanguage> {
  return docsLanguageAt((await headers()).get('x-path') ?? '');
}
