import Link from 'next/link';
import type { ReactNode } from 'react';
import { ChevronIcon } from '#app/_ui/icons.tsx';
import { translatorOf } from '#server/i18n/translator.ts';
import { type DocsLanguage, docsAddress } from '../_content/docs-language.ts';
import { docsNeighbours } from '../_content/pages.ts';
import type { Heading } from '../_markdown/document.ts';
import { Toc } from './toc.tsx';

const LISTED_DEPTH = 3;

function Neighbours({ slug, language }: { slug: string; language: DocsLanguage }) {
  const { before, after } = docsNeighbours(slug, language);
  const t = translatorOf(language, 'docs.article');
  return (
    <nav aria-label={t('neighbours')} className="docs-neighbours print:hidden">
      {before ? (
        <Link href={docsAddress(`/docs/${before.slug}`, language)} prefetch={false}>
          <span>{t('previous')}</span>
          {before.title}
        </Link>
      ) : (
        <span />
      )}
      {after && (
        <Link
          href={docsAddress(`/docs/${after.slug}`, language)}
          prefetch={false}
          className="text-right"
        >
          <span>{t('next')}</span>
          {after.title}
        </Link>
      )}
    </nav>
  );
}

/** Says that a page is in another language than the pages around it. */
export function EnglishOnly({ language }: { language: DocsLanguage }) {
  return (
    <p className="docs-english-only" lang={language}>
      {translatorOf(language, 'docs.frame')('englishOnly')}
    </p>
  );
}

/** A page of text with its contents beside it, or above it on a small screen. */
export function Article({
  slug,
  title,
  summary,
  headings,
  language,
  textLanguage,
  children,
}: {
  slug: string;
  title: string;
  summary: string;
  headings: Heading[];
  /** The language of the frame. */
  language: DocsLanguage;
  textLanguage: DocsLanguage;
  children: ReactNode;
}) {
  const t = translatorOf(language, 'docs.article');
  const listed = headings.filter(({ depth }) => depth <= LISTED_DEPTH);
  return (
    // The layout goes by the room in letters, not the window's: very large text leaves less of it.
    <div className="@container">
      <div className="px-4 md:px-8 @min-[60rem]:grid @min-[60rem]:grid-cols-[minmax(0,1fr)_14rem] @min-[60rem]:gap-12 print:block">
        <main
          id="main"
          tabIndex={-1}
          className="mx-auto w-full max-w-3xl py-8 outline-none md:py-12"
        >
          {textLanguage !== language && <EnglishOnly language={language} />}
          <div lang={textLanguage}>
            <h1 className="font-semibold text-3xl tracking-tight md:text-4xl">{title}</h1>
            <p className="mt-3 text-lg text-muted text-pretty">{summary}</p>
          </div>
          {listed.length > 1 && (
            <details className="docs-contents @min-[60rem]:hidden print:hidden">
              <summary>
                {t('onThisPage')} <ChevronIcon className="docs-contents-icon size-4" />
              </summary>
              <Toc headings={listed} label={t('contentsShort')} language={textLanguage} />
            </details>
          )}
          <div className="docs-prose" lang={textLanguage}>
            {children}
          </div>
          <Neighbours slug={slug} language={language} />
        </main>
        {listed.length > 1 && (
          <div className="docs-beside hidden @min-[60rem]:block print:hidden">
            <p className="pb-2 font-semibold text-sm">{t('onThisPage')}</p>
            <Toc headings={listed} label={t('onThisPage')} language={textLanguage} />
          </div>
        )}
      </div>
    </div>
  );
}
