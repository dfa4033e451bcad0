import type { MarkedToken } from 'marked';
import { describe, expect, test } from 'vitest';
import { messagesAt, type Namespace } from '#server/i18n/translator.ts';
import {
  DELIVERY_FAILURES,
  deliveryFailures,
  russianReason,
} from './_content/delivery-failures.ts';
import { RUSSIAN_CURES } from './_content/delivery-failures-ru.ts';
import { DOCS_LANGUAGES, docsAddress, docsLanguageAt } from './_content/docs-language.ts';
import { errorsOf } from './_content/errors.ts';
import { RUSSIAN_ERRORS } from './_content/errors-ru.ts';
import { docsGroups, docsPage } from './_content/pages.ts';
import { RUSSIAN_GROUPS, RUSSIAN_PAGES } from './_content/pages-ru.ts';
import { blockCall, parseDocument, plainText } from './_markdown/document.ts';
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
    // The dashboard says in Russian why an attempt did not count.
    expect(codes(russian)).toEqual(codes(english).map(russianReason).sort());
    expect(links(russian)).toEqual(links(english));
  });

  test('tells the same figures', async () => {
    const [english, russian] = await both();
    const figures = (document = english) =>
      plainText(document?.blocks.map(({ token }) => token) ?? [])
        .replaceAll(/(?<=\d)[.,\u00a0](?=\d)/g, '')
        .match(/\d+/g)
        ?.sort();
    expect(figures(russian)).toEqual(figures(english));
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

test('every error is explained in Russian, with the names and values of the English explanation', () => {
  const codes = ({ why, cure }: { why: string; cure: string }) =>
    [why, cure].map((text) => (text.match(/`[^`]+`/g) ?? []).sort());
  const statuses = [401, 403, 404, 405, 409, 413, 422, 429, 500, 503];
  const english = statuses.flatMap((status) => errorsOf(status, 'en'));
  expect(english.map(({ id }) => id).sort()).toEqual(Object.keys(RUSSIAN_ERRORS).sort());
  for (const error of english) {
    const russian = errorsOf(error.status, 'ru').find(({ id }) => id === error.id);
    expect([russian?.why, russian?.cure].join(), error.id).toMatch(/[а-яё]/i);
    expect(russian?.message).toBe(error.message);
    expect([error.id, russian && codes(russian)]).toEqual([error.id, codes(error)]);
  }
});

test('every reason why an attempt did not count has its cure in Russian, in the same place', () => {
  const codes = (text: string) => (text.match(/`[^`]+`|\(\/docs[^)]*\)/g) ?? []).sort();
  expect(RUSSIAN_CURES).toHaveLength(DELIVERY_FAILURES.length);
  const russian = deliveryFailures('ru');
  for (const [index, { reason, cure }] of DELIVERY_FAILURES.entries()) {
    expect(codes(russian[index]?.cure ?? ''), reason).toEqual(codes(cure));
    expect(russian[index]?.reason).toMatch(/[а-яё]/i);
  }
});

/** The screens and buttons of the dashboard that a page names. */
const NAMED = {
  'quick-start': [
    ['dashboard.callbacks', 'title'],
    ['dashboard.developers', 'title'],
  ],
  retries: [
    ['dashboard.callbacks', 'title'],
    ['dashboard.callbackStates', 'exhausted'],
  ],
  callbacks: [
    ['dashboard.callbacks', 'title'],
    ['dashboard.endpoint', 'open'],
    ['dashboard.developers', 'title'],
  ],
  errors: [['dashboard.developers', 'title']],
  testing: [
    ['dashboard.callbacks', 'title'],
    ['dashboard.endpoint', 'open'],
  ],
  'taking-payments': [
    ['dashboard.nav', 'invoices'],
    ['dashboard.invoices', 'create'],
    ['dashboard.links', 'title'],
    ['dashboard.refund', 'action'],
    ['dashboard.account', 'title'],
    ['dashboard.notifications', 'title'],
    ['dashboard.notifications', 'connect'],
    ['dashboard.notifications', 'test'],
    ['acquirers', 'title'],
    ['acquirers.account', 'hook'],
    ['acquirers.account', 'down'],
    ['acquirers.actions', 'test'],
    ['acquirers.settling', 'settle'],
    ['acquirers.faults', 'wrong_key'],
    ['acquirers.faults', 'wrong_signature'],
    ['acquirers.faults', 'credentials_refused'],
    ['acquirers.faults', 'not_reachable'],
    ['acquirers.faults', 'unexpected_answer'],
  ],
  'going-live': [
    ['dashboard.callbacks', 'title'],
    ['dashboard.developers', 'title'],
    ['dashboard.environment', 'production'],
    ['dashboard.settings', 'title'],
  ],
} satisfies Record<string, [Namespace, string][]>;

test.each(DOCS_LANGUAGES)(
  'the pages call the screens and buttons of the dashboard as it does: %s',
  async (language) => {
    for (const [slug, names] of Object.entries(NAMED)) {
      const page = docsPage(slug, language);
      const text = page ? (await readPageText(page)).toLowerCase() : '';
      const words = names.map(([group, name]) => {
        const found: Record<string, unknown> = messagesAt(language, group);
        return String(found[name]).toLowerCase();
      });
      expect([slug, words.filter((each) => !text.includes(each))]).toEqual([slug, []]);
    }
  },
);

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
