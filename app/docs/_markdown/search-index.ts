import { DOCS_GROUPS } from '../_content/pages.ts';
import type { SearchEntry } from '../_parts/search-entries.ts';
import { type DocsDocument, parseDocument, plainText } from './document.ts';
import { readPageText } from './read-page.ts';

/** A page's sections, each from its heading to the next. */
function sections(page: { href: string; title: string }, { blocks, headings }: DocsDocument) {
  const entries: SearchEntry[] = [{ page: page.title, heading: '', href: page.href, text: '' }];
  const texts = new Map(headings.map(({ id, text }) => [id, text]));
  for (const { token, id } of blocks) {
    const last = entries.at(-1);
    if (id) {
      const heading = texts.get(id) ?? '';
      entries.push({ page: page.title, heading, href: `${page.href}#${id}`, text: '' });
    } else if (last) {
      last.text = `${last.text} ${plainText([token])}`.replace(/\s+/g, ' ').trim();
    }
  }
  return entries;
}

/** Everything that can be found, in reading order. */
export async function searchIndex(): Promise<SearchEntry[]> {
  const pages = DOCS_GROUPS.flatMap((group) => group.pages);
  const found = await Promise.all(
    pages.map(async (page) => {
      const [first, ...rest] = sections(
        { href: `/docs/${page.slug}`, title: page.title },
        parseDocument(await readPageText(page)),
      );
      if (!first) return [];
      return [{ ...first, text: `${page.summary} ${first.text}`.trim() }, ...rest];
    }),
  );
  return found.flat();
}
