import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { translatorOf } from '#server/i18n/translator.ts';
import { docsLanguage } from '../_parts/docs-language.ts';

export async function generateMetadata(): Promise<Metadata> {
  return { title: translatorOf(await docsLanguage(), 'docs.missing')('pageTitle') };
}

/** The page for an unknown address, in the frame of the docs, which Next's own 404 would leave. */
export default function UnknownPage() {
  notFound();
}
