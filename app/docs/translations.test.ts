import type { MarkedToken } from 'marked';
import { describe, expect, test } from 'vitest';
import { docsAddress, docsLanguageAt } from './_content/docs-language.ts';
import { docsGroups, docsPage } from './_content/pages.ts';
import { RUSSIAN_GROUPS, RUSSIAN_PAGES } from './_content/pages-ru.ts';
import { blockCall, parseDocument } from './_markdown/document.ts';
import { readDocument, readPage, readPageText } from './_markdown/read-page.ts';
import { sameInLanguages } from './_parts/same-in-languages.ts';

const PAGES = docsGroups('ru')
  .flatMap(({ pages }) => pages)
  .filter(({ language }) => language === 'ru');

type Inner = { type?: string; text?: string; href?: string };

/** The tokens of a tree of one type, in their order. */
function tokensOf(tree: unknown, type: string): Inner[] {
  if (Array.isArray(tree)) return tree.flatMap((each) => tokensOf(each, type));
  if (typeof tree !== 'object' || tree === null) return [];
  const own = (tree as Inner).type === type ? [tree as Inner] : [];
  return [...own, ...Object.values(tree).flatMap((each) => tokensOf(each, type))];
}

/** What a block is, apart from its words. */
function shapeOf(token: MarkedToken): string {
  switch (token.type) {
    case 'heading':
      return `heading of level ${token.depth}`;
    case 'list':
      return `${token.ordered ? 'numbered' : 'plain'} list of ${token.items.length}`;
    case 'table':
      return `table of ${token.rows.length} rows of ${token.header.length}`;
    case 'blockquote':
      return `callout ${/\[!\w+\]/.exec(token.text)?.[0]}`;
    case 'code':
      return blockCall(token)
        ? `block ${token.lang}`
        : `${token.lang?.split(' ')[0]}:\n${token.text}`;
    default:
      return token.type;
  }
}

const sorted = (texts: (string | undefined)[]) => texts.map((text) => text ?? '').sort();

describe.each(PAGES)('the Russian page $slug', (page) => {
  const both = async () => {
    const english = docsPage(page.slug);
    if (!english) throw new Error(`no English page ${page.slug}`);
    return await Promise.all(
      [english, page].map(async (each) => parseDocument(await readPageText(each))),
    );
  };

  test('has the headings, tables, lists and programs of the English one, in their order', async () => {
    const [english, russian] = await both();
    const shapes = (document = english) => document?.blocks.map(({ token }) => shapeOf(token));
    expect(shapes(russian)).toEqual(shapes(english));
  });

  test('names the same fields, codes and requests, and leads to the same places', async () => {
    const [english, russian] = await both();
    const codes = (document = english) =>
      sorted(tokensOf(document?.blocks, 'codespan').map(({ text }) => text));
    const links = (document = english) =>
      sorted(tokensOf(document?.blocks, 'link').map(({ href }) => href));
    expect(codes(russian)).toEqual(codes(english));
    expect(links(russian)).toEqual(links(english));
  });

  test('has Russian headings with the anchors of the English ones', async () => {
    const english = docsPage(page.slug);
    const [there, here] = await Promise.all(
      [english ?? page, page].map((each) => readDocument(each)),
    );
    expect(here?.headings.map(({ id }) => id)).toEqual(there?.headings.map(({ id }) => id));
    expect(here?.blocks.flatMap(({ id }) => id ?? [])).toEqual(here?.headings.map(({ id }) => id));
  });

  test('leads on in Russian', async () => {
    const links = tokensOf((await readPage(page, 'ru')).blocks, 'link').map(({ href }) => href);
    expect(links.filter((href) => /^\/docs(?!\/ru)/.test(href ?? ''))).toEqual([]);
  });
});

test('every page has a Russian title, whether its text is Russian or not', () => {
  const english = docsGroups('en');
  const slugs = english.flatMap(({ pages }) => pages.map(({ slug }) => slug));
  expect(Object.keys(RUSSIAN_PAGES).sort()).toEqual(slugs.sort());
  expect(Object.keys(RUSSIAN_GROUPS)).toEqual(english.map(({ title }) => title));
  for (const { title, summary } of Object.values(RUSSIAN_PAGES)) {
    expect(`${title} ${summary}`).toMatch(/[а-яё]/i);
  }
});

test.each([
  ['/docs', '/docs/ru', 'ru'],
  ['/docs/ru', '/docs', 'en'],
  ['/docs/errors#enum', '/docs/ru/errors#enum', 'ru'],
  ['/docs/ru/errors#enum', '/docs/errors#enum', 'uz'],
  ['/docs/rules', '/docs/ru/rules', 'ru'],
  ['/docs/errors', '/docs/errors', 'uz'],
  ['/dashboard', '/dashboard', 'ru'],
] as const)('%s is %s for a reader of %3$s', (address, wanted, locale) => {
  expect(docsAddress(address, locale)).toBe(wanted);
  if (locale !== 'uz' && address.startsWith('/docs')) expect(docsLanguageAt(wanted)).toBe(locale);
});

test('search engines are told both addresses of a page, and the one of a page in English only', () => {
  const both = sameInLanguages('/docs/errors', 'ru');
  expect(both?.canonical).toMatch(/\/docs\/ru\/errors$/);
  expect(Object.keys(both?.languages ?? {})).toEqual(['en', 'ru', 'x-default']);
  const [canonical] = [sameInLanguages('/docs/retries', 'ru', ['en'])?.canonical];
  expect(canonical).toMatch(/\/docs\/retries$/);
});
