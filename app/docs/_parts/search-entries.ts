import { foldCase } from '#server/lib/typed-text.ts';
import type { DocsLanguage } from '../_content/docs-language.ts';

/** A section of a page; the first one has no heading. */
export type SearchEntry = {
  page: string;
  heading: string;
  href: string;
  text: string;
  /** The language of the text where it is not that of the page. */
  language?: DocsLanguage | undefined;
};

export type SearchHit = { entry: SearchEntry; snippet: string };

const MOST_HITS = 12;
const SNIPPET_CHARACTERS = 140;
const BEFORE_WORD_CHARACTERS = 40;
const POINTS = { headingStart: 12, heading: 8, pageStart: 10, page: 5, word: 3, text: 1 };

// Russian words change their ends: a question in one case finds a text in another.
const RUSSIAN_END =
  /(?<=^[а-яё]{4,}?)(?:[аеёиоуыэюяйь]{1,3}|[аяые]ми|[аяы]х|[ое]го|[ое]му|[оеы]м|ов|ев|ей)$/;

function wordsOf(query: string): string[] {
  const words = foldCase(query).split(/\s+/).filter(Boolean);
  return words.map((word) => word.replace(RUSSIAN_END, ''));
}

/** How well a section, folded like the word, matches it; 0 if it does not contain it. */
function points({ page, heading, text }: SearchEntry, word: string): number {
  const isTop = heading === '';
  let sum = 0;
  if (heading.startsWith(word)) sum += POINTS.headingStart;
  else if (heading.includes(word)) sum += POINTS.heading;
  if (isTop && page.startsWith(word)) sum += POINTS.pageStart;
  else if (page.includes(word)) sum += isTop ? POINTS.page : POINTS.text;
  if (` ${text}`.includes(` ${word}`)) sum += POINTS.word;
  else if (text.includes(word)) sum += POINTS.text;
  return sum;
}

/** The words around the first match in the text. */
function snippetOf({ text }: SearchEntry, words: string[]): string {
  const low = text.toLowerCase();
  const places = words.map((word) => low.indexOf(word)).filter((at) => at >= 0);
  const first = places.length > 0 ? Math.min(...places) : 0;
  const begun =
    first <= BEFORE_WORD_CHARACTERS ? 0 : low.indexOf(' ', first - BEFORE_WORD_CHARACTERS);
  const from = Math.max(begun, 0);
  const end = from + SNIPPET_CHARACTERS;
  if (end >= text.length) return `${from > 0 ? '… ' : ''}${text.slice(from).trim()}`;
  // A word is cut in two only if it is longer than the snippet.
  const gap = text.lastIndexOf(' ', end);
  const piece = text.slice(from, gap > first ? gap : end).trim();
  return `${from > 0 ? '… ' : ''}${piece} …`;
}

type Scored = { entry: SearchEntry; each: number[]; sum: number };

const isWhole = ({ each }: Scored): boolean => !each.includes(0);
const wordCount = ({ each }: Scored): number => each.filter((one) => one > 0).length;

/** The best section of each page that has all the words, but not in a single section. */
function acrossSections(scored: readonly Scored[]): Scored[] {
  const pages = new Map<string, Scored[]>();
  for (const one of scored) {
    const { page } = one.entry;
    pages.set(page, [...(pages.get(page) ?? []), one]);
  }
  return [...pages.values()].flatMap((sections) => {
    const holdsAll = sections[0]?.each.every((_, at) => sections.some(({ each }) => each[at]));
    if (!holdsAll || sections.some(isWhole)) return [];
    return sections.sort((a, b) => wordCount(b) - wordCount(a) || b.sum - a.sum).slice(0, 1);
  });
}

/** The sections with every word of the query, best first; then pages that have them apart. */
export function findEntries(entries: readonly SearchEntry[], query: string): SearchHit[] {
  const words = wordsOf(query);
  if (words.length === 0) return [];
  const scored = entries.map((entry): Scored => {
    const { page, heading, text, href } = entry;
    const folded = { page: foldCase(page), heading: foldCase(heading), text: foldCase(text), href };
    const each = words.map((word) => points(folded, word));
    return { entry, each, sum: each.reduce((total, one) => total + one, 0) };
  });
  const best = (hits: Scored[]) => hits.sort((a, b) => b.sum - a.sum);
  return [...best(scored.filter(isWhole)), ...best(acrossSections(scored))]
    .slice(0, MOST_HITS)
    .map(({ entry }) => ({ entry, snippet: snippetOf(entry, words) }));
}

/** A text in pieces, with the searched words marked. */
export function markedPieces(text: string, query: string): { text: string; isMarked: boolean }[] {
  const words = wordsOf(query).map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  if (words.length === 0) return [{ text, isMarked: false }];
  return text
    .split(new RegExp(`(${words.join('|')})`, 'gi'))
    .map((piece, index) => ({ text: piece, isMarked: index % 2 === 1 }))
    .filter((piece) => piece.text !== '');
}
