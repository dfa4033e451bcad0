import { errorsOf } from '../_content/errors.ts';
import { API_PAGE, DOCS_GROUPS } from '../_content/pages.ts';
import type { SearchEntry } from '../_parts/search-entries.ts';
import {
  answersEverywhere,
  EVERYWHERE,
  operations,
  type Response,
  splitAnswers,
} from '../api/operations.ts';
import type { Field } from '../api/schema-fields.ts';
import { blockCall, type DocsDocument, parseDocument, plainText } from './document.ts';
import { ownBlockWords } from './own-block.tsx';
import { readPageText } from './read-page.ts';

/** The search finds an error by its type and text, though no heading has them. */
function errorEntries(page: { href: string; title: string }, status: number): SearchEntry[] {
  return errorsOf(status).map(({ id, type, message, why, cure }) => ({
    page: page.title,
    heading: type ? `${type}: ${message}` : message,
    href: `${page.href}#${id}`,
    text: `HTTP ${status}. ${why} ${cure}`.replaceAll('`', ''),
  }));
}

/** A page's sections, each from its heading to the next. */
async function sections(
  page: { href: string; title: string },
  { blocks, headings }: DocsDocument,
): Promise<SearchEntry[]> {
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
      const words = call ? await ownBlockWords(call) : plainText([token]);
      last.text = `${last.text} ${words}`.replace(/\s+/g, ' ').trim();
    }
  }
  return entries;
}

const fieldWords = (fields: Field[]): string =>
  fields.map(({ name, description }) => `${name} ${description}`).join(' ');

// The fields of a refusal are the same everywhere; the errors page has them.
const answerWords = (responses: Response[]): string =>
  responses
    .map(({ status, description, fields }) =>
      [status, description, status < '300' ? fieldWords(fields) : ''].join(' '),
    )
    .join(' ');

/** The operations with all their fields and answers, and their common answers. */
function referenceEntries(): SearchEntry[] {
  // The address is not part of the searched text.
  const all = operations('');
  const everywhere = answersEverywhere(all);
  const entry = (id: string, heading: string, text: string): SearchEntry => ({
    page: API_PAGE.title,
    heading,
    href: `${API_PAGE.href}#${id}`,
    text: text.replaceAll('`', '').replace(/\s+/g, ' ').trim(),
  });
  const found = all.map((each) => {
    const { id, method, path, summary, description, parameters, body } = each;
    const asked = fieldWords([...parameters, ...body]);
    const answered = answerWords(splitAnswers(each, everywhere).own);
    return entry(id, summary, `${method} ${path} ${description} ${asked} ${answered}`);
  });
  return [...found, entry(EVERYWHERE.id, EVERYWHERE.title, answerWords(everywhere))];
}

/** Every entry that can be found, in reading order. */
export async function searchIndex(): Promise<SearchEntry[]> {
  const pages = DOCS_GROUPS.flatMap((group) => group.pages);
  const found = await Promise.all(
    pages.map(async (page) => {
      const [first, ...rest] = await sections(
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
