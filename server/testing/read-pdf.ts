import { getDocument, type PDFPageProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';

export type ReadPdf = {
  pages: number;
  title: string;
  language: string | null;
  /** The kinds of the first page's elements, in reading order. */
  tags: string[];
  /** The text as a reader copies it. */
  text: string;
  /** The links' targets, and the text at their places. */
  links: { url: string; text: string }[];
};

type Tree = Awaited<ReturnType<PDFPageProxy['getStructTree']>>;

function rolesOf(tree: Tree): string[] {
  return tree.children.flatMap((each) => ('role' in each ? [each.role, ...rolesOf(each)] : []));
}

/** A PDF file as Firefox's reader sees it. */
export async function readPdf(file: Uint8Array): Promise<ReadPdf> {
  const document = await getDocument({ data: new Uint8Array(file), verbosity: 0 }).promise;
  const { info } = await document.getMetadata();
  const text: string[] = [];
  const links: ReadPdf['links'] = [];
  for (let number = 1; number <= document.numPages; number++) {
    const page = await document.getPage(number);
    const items = (await page.getTextContent()).items.filter((item) => 'str' in item);
    for (const item of items) text.push(item.str, item.hasEOL ? '\n' : '');
    for (const { url, rect } of await page.getAnnotations()) {
      const [left, bottom, right, top] = rect;
      const under = items.filter(({ transform: [, , , , x, y] }) => {
        return left <= x && x < right && bottom <= y && y < top;
      });
      links.push({ url, text: under.map(({ str }) => str).join('') });
    }
  }
  const { Title = '', Language = null } = info as { Title?: string; Language?: string };
  const first = await document.getPage(1);
  return {
    pages: document.numPages,
    title: Title,
    language: Language,
    tags: rolesOf(await first.getStructTree()),
    text: text.join(''),
    links,
  };
}
