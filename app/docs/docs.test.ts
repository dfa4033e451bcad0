import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { LISTENING_TAG } from '#server/openapi/openapi-listen.ts';
import { projectRoot } from '#server/settings/settings.ts';
import { FAULT_TYPES } from '#server/wire/validation.ts';
import { DELIVERY_FAILURES } from './_content/delivery-failures.ts';
import {
  DOCS_LANGUAGES,
  type DocsLanguage,
  docsAddress,
  docsLanguageAt,
} from './_content/docs-language.ts';
import { type DocsPage, docsGroups } from './_content/pages.ts';
import { blockCall, type DocsDocument, parseDocument } from './_markdown/document.ts';
import { readDocument, readPageText } from './_markdown/read-page.ts';
import { searchIndex } from './_markdown/search-index.ts';
import { findEntries } from './_parts/search-entries.ts';
import { operations } from './api/operations.ts';

const pagesOf = (language: DocsLanguage) => docsGroups(language).flatMap(({ pages }) => pages);
const PAGES = DOCS_LANGUAGES.flatMap(pagesOf);

/** Pages that are programs, not texts. */
const OTHER_ADDRESSES = [
  '/docs',
  '/docs/api',
  '/dashboard',
  '/api/openapi.json',
  ...operations('').map(({ id }) => `/docs/api#${id}`),
];

const read = (file: string) => readFileSync(path.join(projectRoot(), file), 'utf8');

type Linked = { page: DocsPage; document: DocsDocument };

async function readAll(): Promise<Linked[]> {
  return await Promise.all(
    PAGES.map(async (page) => ({ page, document: await readDocument(page) })),
  );
}

/** Every address in a tree of tokens. */
function addresses(tokens: unknown): string[] {
  if (Array.isArray(tokens)) return tokens.flatMap(addresses);
  if (typeof tokens !== 'object' || tokens === null) return [];
  const { type, href } = tokens as { type?: string; href?: string };
  const own = type === 'link' && href !== undefined ? [href] : [];
  return [...own, ...Object.values(tokens).flatMap(addresses)];
}

function isFile(address: string): boolean {
  return existsSync(path.join(projectRoot(), 'public', address));
}

/** The reason why an address leads nowhere, or null. */
function deadLink(href: string, from: DocsPage, all: Linked[]): string | null {
  const [address = '', anchor] = href.split('#');
  if (/^https:\/\//.test(href)) return null;
  const target = address === '' ? `/docs/${from.slug}` : address;
  const linked = all.find(({ page }) => `/docs/${page.slug}` === target);
  if (!linked) {
    const isThere = OTHER_ADDRESSES.includes(href) || (isFile(target) && anchor === undefined);
    return isThere ? null : `${from.slug}: ${href}`;
  }
  if (anchor === undefined) return null;
  const isThere = linked.document.headings.some(({ id }) => id === anchor);
  return isThere ? null : `${from.slug}: ${href}`;
}

describe('the pages of the documentation', () => {
  test('lead to pages and sections that are there, and nowhere else', async () => {
    const all = await readAll();
    const dead = all.flatMap(({ page, document }) =>
      addresses(document.blocks.map(({ token }) => token))
        .map((href) => deadLink(href, page, all))
        .filter((each) => each !== null),
    );
    expect(dead).toEqual([]);
    const [anyPage] = PAGES;
    const ofCures = DELIVERY_FAILURES.flatMap(({ cure }) => addresses(parseDocument(cure).blocks));
    expect(ofCures.length).toBeGreaterThan(0);
    const deadCures = ofCures.map((href) => anyPage && deadLink(href, anyPage, all));
    expect(deadCures.filter((each) => each !== null)).toEqual([]);
  });

  test('call only blocks that exist', async () => {
    const { OwnBlock } = await import('./_markdown/own-block.tsx');
    const called = (await readAll()).flatMap(({ page: { language }, document }) =>
      document.blocks.flatMap(({ token }) => {
        const call = blockCall(token);
        return call ? [{ ...call, language }] : [];
      }),
    );
    expect(called.length).toBeGreaterThan(0);
    for (const { language, ...call } of called)
      expect(() => OwnBlock({ ...call, language }), call.name).not.toThrow();
  });

  test('name no file of public/samples that is not there', async () => {
    const texts = await Promise.all(PAGES.map(readPageText));
    const named = texts.flatMap((text) => text.match(/\/samples\/[\w.-]+/g) ?? []);
    expect(named.length).toBeGreaterThan(0);
    expect(named.filter((address) => !isFile(address))).toEqual([]);
  });

  test('have headings of two levels, and no two anchors that are the same', async () => {
    for (const { page, document } of await readAll()) {
      const ids = document.headings.map(({ id }) => id);
      expect(new Set(ids).size, page.slug).toBe(ids.length);
      expect(document.headings.every(({ depth }) => depth === 2 || depth === 3)).toBe(true);
    }
  });
});

test.each(DOCS_LANGUAGES)(
  'the search knows every page and section, with text to show: %s',
  async (language) => {
    const entries = await searchIndex(language);
    const known = new Set(entries.map(({ href }) => href));
    for (const page of pagesOf(language)) {
      const address = docsAddress(`/docs/${page.slug}`, language);
      expect(known).toContain(address);
      const { headings } = await readDocument(page);
      for (const { id } of headings) expect(known).toContain(`${address}#${id}`);
    }
    expect(entries.filter(({ heading, text }) => heading === '' && text === '')).toEqual([]);
  },
);

test.each([
  ['int_from_float', '/docs/errors#int-from-float'],
  ['string_too_long', '/docs/errors#string-too-long'],
  ['webhook signature php', '/docs/callbacks#verify-the-signature'],
  ['CREATE TABLE handled_callbacks', '/docs/callbacks#handle-it-once'],
  ['insufficient_funds', '/docs/testing#test-cards'],
  ['connection refused', '/docs/retries#why-an-attempt-did-not-count'],
  ['Laravel', '/docs/callbacks#verify-the-signature'],
  ['next_attempt_in_ms', '/docs/api#answerForwardedCallback'],
  ['приём уведомлений', '/docs/ru/quick-start#2-receive-the-callback'],
  ['уведомление', '/docs/ru/quick-start#5-see-the-callback'],
  ['next_attempt_in_ms', '/docs/ru/api#answerForwardedCallback'],
  ['проверка подписи', '/docs/ru/callbacks#verify-the-signature'],
  ['дробная часть', '/docs/ru/errors#int-from-float'],
  ['возвраты', '/docs/ru/taking-payments#give-money-back'],
])('the search finds “%s” at %s', async (query, href) => {
  const hits = findEntries(await searchIndex(docsLanguageAt(href)), query);
  expect(hits.map(({ entry }) => entry.href)).toContain(href);
});

test('the search says which texts are in another language than the page', async () => {
  const entries = await searchIndex('ru');
  const languageAt = (href: string) => entries.find((entry) => entry.href === href)?.language;
  expect(languageAt('/docs/ru/quick-start')).toBeUndefined();
  expect(languageAt('/docs/ru/api#createInvoice')).toBe('en');
  expect((await searchIndex('en')).filter(({ language }) => language)).toEqual([]);
});

test('the search finds every type of fault at its own entry', async () => {
  const entries = await searchIndex('en');
  for (const type of FAULT_TYPES) {
    const [hit] = findEntries(entries, type);
    expect(hit?.entry.heading, type).toMatch(new RegExp(`^${type}: `));
  }
});

test.each(DOCS_LANGUAGES)(
  'the search knows every word of the pages and programs: %s',
  async (language) => {
    const entries = await searchIndex(language);
    for (const page of pagesOf(language)) {
      const known = entries
        .filter((entry) => entry.page === page.title)
        .map(({ heading, text }) => `${heading} ${text}`)
        .join(' ');
      // Links' targets, a program's language and the calls of our own blocks are not shown.
      const shown = (await readPageText(page))
        .replaceAll(/^```(?:@.*|\S*)|^# .*/gm, '')
        .replaceAll(/\]\([^)]*\)|\[!\w+\]/g, '');
      const words = shown.match(/[\p{L}\p{N}_]{3,}/gu) ?? [];
      expect(words.length).toBeGreaterThan(50);
      expect([page.slug, words.filter((word) => !known.includes(word))]).toEqual([page.slug, []]);
    }
  },
);

test('every request stands in the README, those of a test on the page about testing', () => {
  const requests = operations('').filter((each) => !each.isCallback && each.tag !== LISTENING_TAG);
  const told = read('README.md').matchAll(/^\| `(GET|POST) \{base_url\}(\/[\w/]+)/gm);
  expect([...told].map(([, method, at]) => `${method} ${at}`).sort()).toEqual(
    requests.map(({ method, path: at }) => `${method} ${at}`).sort(),
  );
  const ofTests = requests.filter(({ isSandboxOnly }) => isSandboxOnly).map(({ path: at }) => at);
  expect(ofTests.length).toBeGreaterThan(2);
  const page = read('app/docs/_content/testing.md');
  expect(ofTests.filter((at) => !page.includes(at))).toEqual([]);
});

test.each(['README.md', 'bench/README.md', 'examples/README.md'])(
  'what %s leads to is there',
  (file) => {
    const links = [...read(file).matchAll(/\]\(([^)\s]+)\)| src="([^"]+)"/g)]
      .map(([, link, source]) => link ?? source ?? '')
      .filter((each) => !each.startsWith('https://'));
    const dead = links.filter((each) => {
      const [address = '', anchor] = each.split('#');
      const target = path.join(path.dirname(file), address);
      if (!existsSync(path.join(projectRoot(), target))) return true;
      if (anchor === undefined) return false;
      return !parseDocument(read(target)).headings.some(({ id }) => id === anchor);
    });
    expect(dead).toEqual([]);
  },
);
