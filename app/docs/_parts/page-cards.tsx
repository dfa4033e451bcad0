import Link from 'next/link';
import { API_PAGE, DOCS_GROUPS } from '../_content/pages.ts';

type PageCard = { href: string; title: string; summary: string };

/** The pages by the reader's purpose, in the menu's order. */
export const CARD_GROUPS: { title: string; cards: PageCard[] }[] = [
  ...DOCS_GROUPS.map(({ title, pages }) => ({
    title,
    cards: pages.map((page) => ({ ...page, href: `/docs/${page.slug}` })),
  })),
  { title: 'Reference', cards: [API_PAGE] },
];

/** Pages to choose from, each with its subject. */
export function PageCards({ cards }: { cards: readonly PageCard[] }) {
  return (
    <ul className="mt-4 grid gap-4 sm:grid-cols-2 xl:grid-cols-3">
      {cards.map(({ href, title, summary }) => (
        <li key={href}>
          <Link href={href} prefetch={false} className="docs-card">
            <span>{title}</span>
            {summary}
          </Link>
        </li>
      ))}
    </ul>
  );
}
