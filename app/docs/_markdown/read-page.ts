import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { projectRoot, settings } from '#server/settings/settings.ts';
import type { DocsLanguage } from '../_content/docs-language.ts';
import { type DocsPage, docsPage } from '../_content/pages.ts';
import { type DocsDocument, parseDocument } from './document.ts';
import { withLinks } from './with-links.ts';

const kept = new Map<string, DocsDocument>();

/** A page's text from its file. */
export async function readPageText(page: DocsPage): Promise<string> {
  return await readFile(path.join(projectRoot(), page.file), 'utf8');
}

/** A page's document. Its anchors are English, so that a link holds in every language. */
export async function readDocument(
  page: DocsPage,
  change: (text: string) => string = (text) => text,
): Promise<DocsDocument> {
  const document = parseDocument(change(await readPageText(page)));
  const english = docsPage(page.slug);
  if (page.language === 'en' || !english) return document;
  const { headings } = parseDocument(await readPageText(english));
  return withAnchors(document, headings);
}

/** Gives each heading the anchor of the one in its place; a test keeps their numbers equal. */
function withAnchors({ blocks, headings }: DocsDocument, anchors: { id: string }[]): DocsDocument {
  const ids = headings.map((each, index) => anchors[index]?.id ?? each.id);
  let next = 0;
  return {
    blocks: blocks.map((block) =>
      block.id === null ? block : { ...block, id: ids[next++] ?? '' },
    ),
    headings: headings.map((each, index) => ({ ...each, id: ids[index] ?? each.id })),
  };
}

/**
 * A page with this gateway's own address in it, so that its commands can be pasted.
 *
 * @param frame the language of the pages around it, to which its links lead
 */
export async function readPage(page: DocsPage, frame: DocsLanguage): Promise<DocsDocument> {
  const { isProduction, publicUrl } = settings();
  const key = `${frame} ${page.slug}`;
  const known = kept.get(key);
  // Each view reads the file again outside production, for the writer.
  if (known && isProduction) return known;
  const made = await readDocument(page, (text) =>
    withLinks(text.replaceAll('{origin}', publicUrl), frame),
  );
  kept.set(key, made);
  return made;
}
