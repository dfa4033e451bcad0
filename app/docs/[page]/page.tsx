import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { docsPage } from '../_content/pages.ts';
import { Blocks } from '../_markdown/blocks.tsx';
import { readPage } from '../_markdown/read-page.ts';
import { Article } from '../_parts/article.tsx';

type Props = { params: Promise<{ page: string }> };

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const page = docsPage((await params).page);
  return page
    ? { title: page.title, description: page.summary }
    : { title: 'There is no such page' };
}

/** A page of the documentation whose Markdown is in a file. */
export default async function DocsTextPage({ params }: Props) {
  const page = docsPage((await params).page);
  if (!page) notFound();
  const { blocks, headings } = await readPage(page);
  return (
    <Article slug={page.slug} title={page.title} summary={page.summary} headings={headings}>
      <Blocks blocks={blocks} />
    </Article>
  );
}
