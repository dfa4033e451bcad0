import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { projectRoot, settings } from '#server/settings/settings.ts';
import type { DocsPage } from '../_content/pages.ts';
import { type DocsDocument, parseDocument } from './document.ts';

const kept = new Map<string, DocsDocument>();

/** A page's text from its file. */
export async function readPageText(page: DocsPage): Promise<string> {
  return await readFile(path.join(projectRoot(), page.file), 'utf8');
}

/** A page with this gateway's own address in it, so that its commands can be pasted. */
export async function readPage(page: DocsPage): Promise<DocsDocument> {
  const { isProduction, publicUrl } = settings();
  const known = kept.get(page.slug);
  // Each view reads the file again outside production, for the writer.
  if (known && isProduction) return known;
  const text = await readPageText(page);
  const made = parseDocument(text.replaceAll('{origin}', publicUrl));
  kept.set(page.slug, made);
  return made;
}
