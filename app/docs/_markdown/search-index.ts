import { API_PAGE, DOCS_GROUPS } from '../_content/pages.ts';
import { errorsOf } from '../_parts/error-list.tsx';
import type { SearchEntry } from '../_parts/search-entries.ts';
import { operations } from '../api/operations.ts';
import { blockCall, type DocsDocument, parseDocument, plainText } from './document.ts';
import { readPageText } from './read-page.ts';

/** An error is found by its text, though no heading holds it. */
function errorEntries(page: { href: string; title: string }, status: number): SearchEntry[] {
  return errorsOf(status).map(({ id, message, why, cure }) => ({
    page: page.title,
    heading: message,
    href: `${page.href}#${id}`,
    text: `${why} ${cure}`.replaceAll('`', ''),
  }));
}

/** A page's sections, each from its heading to the next. */
function sections(page: { href: string; title: string }, { blocks, headings }: DocsDocument) {
  const entries: SearchEntry[] = [{ page: page.title, heading: '', href: page.href, text: '' }];
  const texts = new Map(headings.map(({ id, text }) => [id, text]));
  for (const { token, id } of blocks) {
    const last = entries.at(-1);
    const call = blockCall(token);
    if (call?.name === 'errors') {
      entries.push(...errorEntries(page, Number(call.argument)));
    } else if (id) {
      const heading = texts.get(id) ?? '';
      entries.push({ page: page.title, heading, href: `${page.href}#${id}`, text: '' });
    } else if (last) {
      last.text = `${last.text} ${plainText([token])}`.replace(/\s+/g, ' ').trim();
    }
  }
  return entries;
}

/** The operations, with the names of all their fields. */
function referenceEntries(): SearchEntry[] {
  // The address is not part of what is searched.
  return operations('').map(({ id, method, path, summary, description, parameters, body }) => ({
    page: API_PAGE.title,
    heading: summary,
    href: `${API_PAGE.href}#${id}`,
    text: `${method} ${path} ${description} ${[...parameters, ...body].map(({ name }) => name).join(' ')}`,
  }));
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
  const { title, summary, href } = API_PAGE;
  return [
    ...found.flat(),
    { page: title, heading: '', href, text: summary },
    ...referenceEntries(),
  ];
}
