import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { translatorOf } from '#server/i18n/translator.ts';
import { docsPage } from '../_content/pages.ts';
import { Blocks } from '../_markdown/blocks.tsx';
import { readPage } from '../_markdown/read-page.ts';
import { Article } from '../_parts/article.tsx';
import { docsLanguage } from '../_parts/docs-language.ts';
import { sameInLanguages } from '../_parts/same-in-languages.ts';

type Props = { params: Promise<{ page: string }> };

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const language = await docsLanguage();
  const { page: slug } = await params;
  const page = docsPage(slug, language);
  if (!page) return { title: translatorOf(language, 'docs.missing')('pageTitle') };
  const written = docsPage(slug, 'ru')?.language === 'ru' ? undefined : (['en'] as const);
  return {
    title: page.title,
    description: page.summary,
    alternates: sameInLanguages(`/docs/${slug}`, language, written),
  };
}

/** A page of the documentation whose Markdown is in a file. */
export default async function DocsTextPage({ params }: Props) {
  const language = await docsLanguage();
  const { page: slug } = await params;
  const page = docsPage(slug, language);
  if (!page) notFound();
  const { blocks, headings } = await readPage(page, language);
  // What is not translated keeps its own title too.
  const { title, summary } = docsPage(slug, page.language) ?? page;
  return (
    <Article {...{ slug, title, summary, headings, language }} textLanguage={page.language}>
      <Blocks blocks={blocks} language={page.language} />
    </Article>
  );
}
