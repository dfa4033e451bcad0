import { type MarkedToken, marked, type Token, type Tokens } from 'marked';

/** A block of a page; a heading has the anchor for links. */
export type Block = { token: MarkedToken; id: string | null };

export type Heading = { id: string; depth: number; text: string };

/** A page's text, ready to be rendered, listed and searched. */
export type DocsDocument = { blocks: Block[]; headings: Heading[] };

/** A fence whose language begins with it holds no code but names a block of ours. */
const BLOCK_MARK = '@';

/** The mark of a remark in a quotation, as on the well-known code hosts. */
export const CALLOUT_MARK = /^\[!(NOTE|TIP|IMPORTANT|WARNING|CAUTION)\]\s*/;

/** The name and the argument of a fence such as `@samples receive-callback`, or null. */
export function blockCall(token: MarkedToken): { name: string; argument: string } | null {
  if (token.type !== 'code' || !token.lang?.startsWith(BLOCK_MARK)) return null;
  const [name = '', ...rest] = token.lang.slice(BLOCK_MARK.length).split(' ');
  return { name, argument: rest.join(' ') };
}

/** The title above a program: everything after its language. */
export function codeTitle({ lang = '' }: Tokens.Code): string {
  return lang.split(' ').slice(1).join(' ');
}

/** Anchors like the well-known code hosts', so that a file's own links work there too. */
function slugOf(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/\s/g, '-');
}

/** The text of tokens without their marks; without the content of our own blocks. */
export function plainText(tokens: readonly Token[]): string {
  return tokens.map((token) => textOf(token as MarkedToken)).join('');
}

function textOf(token: MarkedToken): string {
  switch (token.type) {
    case 'br':
    case 'space':
      return ' ';
    case 'code':
      return blockCall(token) ? '' : `${codeTitle(token)} ${token.text} `;
    case 'table':
      return tableText(token);
    case 'list':
      return plainText(token.items);
    case 'paragraph':
    case 'list_item':
      return `${plainText(token.tokens)} `;
    case 'blockquote':
      return `${plainText(token.tokens).replace(CALLOUT_MARK, '')} `;
    default:
      return 'tokens' in token && token.tokens ? plainText(token.tokens) : wordsOf(token);
  }
}

function wordsOf(token: MarkedToken): string {
  return 'text' in token ? token.text : '';
}

function tableText(token: Tokens.Table): string {
  const cells = [...token.header, ...token.rows.flat()];
  return `${cells.map((cell) => plainText(cell.tokens)).join(' ')} `;
}

/** Reads Markdown; a first-level heading is dropped, because the page already has its title. */
export function parseDocument(text: string): DocsDocument {
  const taken = new Map<string, number>();
  const blocks: Block[] = [];
  const headings: Heading[] = [];
  for (const token of marked.lexer(text) as MarkedToken[]) {
    if (token.type === 'space' || (token.type === 'heading' && token.depth === 1)) continue;
    if (token.type !== 'heading') {
      blocks.push({ token, id: null });
      continue;
    }
    const words = plainText(token.tokens);
    const slug = slugOf(words);
    const times = taken.get(slug) ?? 0;
    taken.set(slug, times + 1);
    const id = times === 0 ? slug : `${slug}-${times}`;
    blocks.push({ token, id });
    headings.push({ id, depth: token.depth, text: words });
  }
  return { blocks, headings };
}
