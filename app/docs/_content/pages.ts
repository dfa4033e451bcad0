import type { DocsLanguage } from './docs-language.ts';
import { RUSSIAN_API_PAGE, RUSSIAN_GROUPS, RUSSIAN_PAGES } from './pages-ru.ts';

/** A page whose Markdown is in a file of the project. */
export type DocsPage = {
  slug: string;
  title: string;
  /** One sentence for the line under the title, the overview and the search results. */
  summary: string;
  /** The path from the project's root. */
  file: string;
  /** The language of the file, which is English where nobody has translated it. */
  language: DocsLanguage;
};

export type DocsGroup = { title: string; pages: DocsPage[] };

const page = (slug: string, title: string, summary: string): DocsPage => ({
  slug,
  title,
  summary,
  file: `app/docs/_content/${slug}.md`,
  language: 'en',
});

/** The pages in reading order. */
const DOCS_GROUPS: DocsGroup[] = [
  {
    title: 'Start',
    pages: [
      page(
        'quick-start',
        'Quick start',
        'From nothing to a paid invoice and a verified callback in five minutes.',
      ),
      page(
        'invoice-life',
        'The life of an invoice',
        'The four statuses, and how an invoice gets from the first to one of the other three.',
      ),
    ],
  },
  {
    title: 'Integrate',
    pages: [
      page(
        'callbacks',
        'Callbacks and signatures',
        'What the gateway sends when a status changes, and how to verify that it came from the gateway.',
      ),
      page(
        'retries',
        'Retries',
        'What happens when your server does not answer, and how to find out why.',
      ),
      page(
        'events',
        'Events to an address',
        'Get notified of refunds that fail later and of callbacks that did not reach you.',
      ),
      page(
        'idempotency',
        'Idempotency and lost answers',
        'How to repeat a request without creating anything twice.',
      ),
      page(
        'reconcile',
        'Reconcile with your books',
        'How to re-read everything that happened, after an outage and every day.',
      ),
      page('errors', 'Errors', 'Every message the API can send, its cause, and how to fix it.'),
      page(
        'limits',
        'Limits',
        'Lengths, sizes, rates and times, and what happens when you exceed them.',
      ),
      {
        slug: 'client',
        title: 'TypeScript client',
        summary:
          'Types, retries that never lose an invoice, and verified callbacks, in one package.',
        file: 'client/README.md',
        language: 'en',
      },
    ],
  },
  {
    title: 'Launch',
    pages: [
      page(
        'testing',
        'Testing',
        'Test cards for every outcome, and endpoints that need no browser.',
      ),
      page(
        'taking-payments',
        'Taking payments',
        'Connect your acquirer accounts, and what happens while a buyer pays.',
      ),
      page('going-live', 'Going live', 'What to check before your first real buyer.'),
    ],
  },
  {
    title: 'Operate',
    pages: [
      {
        slug: 'operating',
        title: 'Operating',
        summary: 'Processes, sizing, monitoring, backups, keys, upgrades and PCI DSS.',
        file: 'public/operating/operating.md',
        language: 'en',
      },
    ],
  },
];

/** The OpenAPI document is the source of the reference, not a text. */
export const API_PAGE = {
  href: '/docs/api',
  title: 'API reference',
  summary:
    'Every endpoint with its fields, answers and examples, generated from the document that the gateway is checked against. Try each one in the sandbox.',
};

function inRussian(english: DocsPage): DocsPage {
  const { isTranslated, ...words } = RUSSIAN_PAGES[english.slug] ?? {};
  if (!isTranslated) return { ...english, ...words };
  const file = `app/docs/_content/ru/${english.slug}.md`;
  return { ...english, ...words, file, language: 'ru' };
}

const GROUPS: Record<DocsLanguage, DocsGroup[]> = {
  en: DOCS_GROUPS,
  ru: DOCS_GROUPS.map(({ title, pages }) => ({
    title: RUSSIAN_GROUPS[title] ?? title,
    pages: pages.map(inRussian),
  })),
};

/** The pages in reading order, with their titles in a language. */
export function docsGroups(language: DocsLanguage): DocsGroup[] {
  return GROUPS[language];
}

/** The reference with its title in a language, and its address there. */
export function apiPage(language: DocsLanguage): typeof API_PAGE {
  return language === 'ru' ? RUSSIAN_API_PAGE : API_PAGE;
}

const pagesOf = (language: DocsLanguage) => GROUPS[language].flatMap(({ pages }) => pages);

/** The page with this slug, or undefined. */
export function docsPage(slug: string, language: DocsLanguage = 'en'): DocsPage | undefined {
  return pagesOf(language).find((each) => each.slug === slug);
}

/** The pages before and after, in reading order. */
export function docsNeighbours(
  slug: string,
  language: DocsLanguage,
): { before?: DocsPage; after?: DocsPage } {
  const pages = pagesOf(language);
  const at = pages.findIndex((each) => each.slug === slug);
  return { before: pages[at - 1], after: at < 0 ? undefined : pages[at + 1] };
}
