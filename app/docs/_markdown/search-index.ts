import { type DocsLanguage, docsAddress } from '../_content/docs-language.ts';
import { errorsOf } from '../_content/errors.ts';
import { apiPage, type DocsPage, docsGroups } from '../_content/pages.ts';
import type { SearchEntry } from '../_parts/search-entries.ts';
import {
  answersEverywhere,
  EVERYWHERE,
  operations,
  type Response,
  splitAnswers,
} from '../api/operations.ts';
import type { Field } from '../api/schema-fields.ts';
import { blockCall, type DocsDocument, plainText } from './document.ts';
import { ownBlockWords } from './own-block.tsx';
import { readDocument } from './read-page.ts';

/** A page's address and title, and the language of its text. */
type Place = { href: string; title: string; language: DocsLanguage };

/** The search finds an error by its type and text, though no heading has them. */
function errorEntries(page: Place, status: number): SearchEntry[] {
  return errorsOf(status, page.language).map(({ id, type, message, why, cure }) => ({
    page: page.title,
    heading: type ? `${type}: ${message}` : message,
    href: `${page.href}#${id}`,
    text: `HTTP ${status}. ${why} ${cure}`.replaceAll('`', ''),
  }));
}

/** A page's sections, each from its heading to the next. */
async function sections(page: Place, { blocks, headings }: DocsDocument): Promise<SearchEntry[]> {
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
      const words = call
        ? await ownBlockWords({ ...call, language: page.language })
        : plainText([token]);
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
function referenceEntries({ title, href }: { title: string; href: string }): SearchEntry[] {
  // The address is not part of the searched text.
  const all = operations('');
  const everywhere = answersEverywhere(all);
  const entry = (id: string, heading: string, text: string): SearchEntry => ({
    page: title,
    heading,
    href: `${href}#${id}`,
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

async function pageEntries(page: DocsPage, language: DocsLanguage): Promise<SearchEntry[]> {
  const href = docsAddress(`/docs/${page.slug}`, language);
  const place = { href, title: page.title, language: page.language };
  const [first, ...rest] = await sections(place, await readDocument(page));
  if (!first) return [];
  return [{ ...first, text: `${page.summary} ${first.text}`.trim() }, ...rest];
}

/** Marks what is found in English on a page of another language. */
function marked(entries: SearchEntry[], written: DocsLanguage, shown: DocsLanguage): SearchEntry[] {
  return written === shown ? entries : entries.map((each) => ({ ...each, language: written }));
}

/** Every entry that can be found by a reader of a language, in reading order. */
export async function searchIndex(language: DocsLanguage): Promise<SearchEntry[]> {
  const pages = docsGroups(language).flatMap((group) => group.pages);
  const found = await Promise.all(
    pages.map(async (page) => marked(await pageEntries(page, language), page.language, language)),
  );
  const reference = apiPage(language);
  const { title, summary, href } = reference;
  return [
    ...found.flat(),
    { page: title, heading: '', href, text: summary },
    ...marked(referenceEntries(reference), 'en', language),
  ];
}
