import type { Metadata } from 'next';
import Link from 'next/link';
import { translatorOf } from '#server/i18n/translator.ts';
import { docsAddress } from './_content/docs-language.ts';
import { docsLanguage } from './_parts/docs-language.ts';
import { cardGroups, PageCards } from './_parts/page-cards.tsx';
import { sameInLanguages } from './_parts/same-in-languages.ts';

export async function generateMetadata(): Promise<Metadata> {
  return { alternates: sameInLanguages('/docs', await docsLanguage()) };
}

/** The pages by the reader's purpose. */
export default async function DocsOverview() {
  const language = await docsLanguage();
  const t = translatorOf(language, 'docs.overview');
  return (
    <div className="px-4 md:px-8">
      <main id="main" tabIndex={-1} className="mx-auto max-w-5xl py-8 outline-none md:py-12">
        <h1 className="font-semibold text-3xl tracking-tight md:text-4xl">
          {translatorOf(language, 'docs.frame')('title')}
        </h1>
        <p className="mt-3 max-w-2xl text-lg text-muted text-pretty">{t('lead')}</p>
        <p className="mt-6">
          <Link
            href={docsAddress('/docs/quick-start', language)}
            prefetch={false}
            className="button button-primary"
          >
            {t('start')}
          </Link>
        </p>
        {cardGroups(language).map(({ title, cards }) => (
          <section key={title} aria-label={title} className="mt-10">
            <h2 className="font-semibold text-xl tracking-tight">{title}</h2>
            <PageCards cards={cards} />
          </section>
        ))}
      </main>
    </div>
  );
}
