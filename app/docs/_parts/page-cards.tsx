import Link from 'next/link';
import { translatorOf } from '#server/i18n/translator.ts';
import { type DocsLanguage, docsAddress } from '../_content/docs-language.ts';
import { apiPage, docsGroups } from '../_content/pages.ts';

type PageCard = { href: string; title: string; summary: string; note?: string | undefined };

/** The pages by the reader's purpose, in the menu's order. */
export function cardGroups(language: DocsLanguage): { title: string; cards: PageCard[] }[] {
  const t = translatorOf(language, 'docs.frame');
  const inEnglish = language === 'en' ? undefined : t('inEnglish');
  return [
    ...docsGroups(language).map(({ title, pages }) => ({
      title,
      cards: pages.map((page) => ({
        title: page.title,
        summary: page.summary,
        href: docsAddress(`/docs/${page.slug}`, language),
        note: page.language === language ? undefined : inEnglish,
      })),
    })),
    { title: t('reference'), cards: [{ ...apiPage(language), note: inEnglish }] },
  ];
}

/** Pages to choose from, each with its subject. */
export function PageCards({ cards }: { cards: readonly PageCard[] }) {
  return (
    <ul className="@container mt-4 grid grid-cols-[repeat(auto-fill,minmax(min(17rem,100%),1fr))] gap-4">
      {cards.map(({ href, title, summary, note }) => (
        <li key={href}>
          <Link href={href} prefetch={false} className="docs-card">
            <span>{title}</span>
            {summary}
            {note && <small className="docs-note">{note}</small>}
          </Link>
        </li>
      ))}
    </ul>
  );
}
