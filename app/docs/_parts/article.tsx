import Link from 'next/link';
import type { ReactNode } from 'react';
import { ChevronIcon } from '#app/_ui/icons.tsx';
import { docsNeighbours } from '../_content/pages.ts';
import type { Heading } from '../_markdown/document.ts';
import { Toc } from './toc.tsx';

const LISTED_DEPTH = 3;

function Neighbours({ slug }: { slug: string }) {
  const { before, after } = docsNeighbours(slug);
  return (
    <nav aria-label="Next and previous page" className="docs-neighbours print:hidden">
      {before ? (
        <Link href={`/docs/${before.slug}`} prefetch={false}>
          <span>Previous</span>
          {before.title}
        </Link>
      ) : (
        <span />
      )}
      {after && (
        <Link href={`/docs/${after.slug}`} prefetch={false} className="text-right">
          <span>Next</span>
          {after.title}
        </Link>
      )}
    </nav>
  );
}

/** A page of text with its contents beside it, or above it on a small screen. */
export function Article({
  slug,
  title,
  summary,
  headings,
  children,
}: {
  slug: string;
  title: string;
  summary: string;
  headings: Heading[];
  children: ReactNode;
}) {
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
          <h1 className="font-semibold text-3xl tracking-tight md:text-4xl">{title}</h1>
          <p className="mt-3 text-lg text-muted text-pretty">{summary}</p>
          {listed.length > 1 && (
            <details className="docs-contents @min-[60rem]:hidden print:hidden">
              <summary>
                On this page <ChevronIcon className="docs-contents-icon size-4" />
              </summary>
              <Toc headings={listed} label="On this page, short" />
            </details>
          )}
          <div className="docs-prose">{children}</div>
          <Neighbours slug={slug} />
        </main>
        {listed.length > 1 && (
          <div className="docs-beside hidden @min-[60rem]:block print:hidden">
            <p className="pb-2 font-semibold text-sm">On this page</p>
            <Toc headings={listed} label="On this page" />
          </div>
        )}
      </div>
    </div>
  );
}
