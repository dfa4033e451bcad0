/** A page that stands as Markdown in a file of the project. */
export type DocsPage = {
  slug: string;
  title: string;
  /** One sentence: under the title, in the overview, in what a search finds. */
  summary: string;
  /** From the project's root. */
  file: string;
};

export type DocsGroup = { title: string; pages: DocsPage[] };

const page = (slug: string, title: string, summary: string): DocsPage => ({
  slug,
  title,
  summary,
  file: `app/docs/_content/${slug}.md`,
});

/** The pages in reading order. */
export const DOCS_GROUPS: DocsGroup[] = [
  {
    title: 'Start',
    pages: [
      page(
        'quick-start',
        'Quick start',
        'From nothing to a paid invoice and a verified callback in five minutes.',
      ),
    ],
  },
  {
    title: 'Integrate',
    pages: [
      page(
        'callbacks',
        'Callbacks and signatures',
        'What the gateway sends when a status changes, and how to be sure that it was the gateway.',
      ),
    ],
  },
];

const PAGES = DOCS_GROUPS.flatMap(({ pages }) => pages);

/** The page with this slug, or undefined. */
export function docsPage(slug: string): DocsPage | undefined {
  return PAGES.find((each) => each.slug === slug);
}

/** The pages before and after, in reading order. */
export function docsNeighbours(slug: string): { before?: DocsPage; after?: DocsPage } {
  const at = PAGES.findIndex((each) => each.slug === slug);
  return { before: PAGES[at - 1], after: at < 0 ? undefined : PAGES[at + 1] };
}
