import type { MarkedToken, Tokens } from 'marked';
import { Fragment, type ReactNode } from 'react';
import { AlertIcon } from '#app/_ui/icons.tsx';
import { translatorOf } from '#server/i18n/translator.ts';
import type { DocsLanguage } from '../_content/docs-language.ts';
import { CodeBlock } from '../_parts/code-block.tsx';
import { type Block, blockCall, CALLOUT_MARK, codeTitle } from './document.ts';
import { inline } from './inline.tsx';
import { OwnBlock } from './own-block.tsx';

const CALLOUT_NAMES = {
  NOTE: 'note',
  TIP: 'tip',
  IMPORTANT: 'important',
  WARNING: 'careful',
  CAUTION: 'careful',
} as const;

type In<T> = { token: T; language: DocsLanguage };

function Callout({ token, language }: In<Tokens.Blockquote>) {
  const kind = CALLOUT_MARK.exec(token.text)?.[1] as keyof typeof CALLOUT_NAMES | undefined;
  if (kind === undefined) {
    return <blockquote>{children(token.tokens as MarkedToken[], language)}</blockquote>;
  }
  const name = CALLOUT_NAMES[kind];
  return (
    <aside className={`docs-callout docs-callout-${name}`}>
      <AlertIcon className="docs-callout-icon size-5" />
      <div>
        <p className="docs-callout-name">{translatorOf(language, 'docs.article')(name)}</p>
        {children(withoutMark(token.tokens as MarkedToken[]), language)}
      </div>
    </aside>
  );
}

/** The callout's tokens without `[!NOTE]`, which stands at the start of its first text. */
function withoutMark(tokens: MarkedToken[]): MarkedToken[] {
  const [first, ...rest] = tokens;
  if (first?.type !== 'paragraph') return tokens;
  const inner = (first.tokens as MarkedToken[]).map((token, index) =>
    index === 0 && token.type === 'text'
      ? { ...token, text: token.text.replace(CALLOUT_MARK, '') }
      : token,
  );
  return [{ ...first, tokens: inner }, ...rest];
}

function Table({ token }: { token: Tokens.Table }) {
  return (
    <div className="docs-table docs-table-stack">
      <table>
        <thead>
          <tr>
            {token.header.map((cell) => (
              <th key={cell.text} scope="col">
                {inline(cell.tokens)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {token.rows.map((row) => (
            <tr key={row.map(({ text }) => text).join('|')}>
              {row.map((cell, column) => (
                // The first cell names the row where rows are stacked.
                <td
                  key={token.header[column]?.text}
                  data-label={(column > 0 && token.header[column]?.text) || undefined}
                >
                  {inline(cell.tokens)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function List({ token, language }: In<Tokens.List>) {
  const items = token.items.map((item) => (
    <li key={item.raw}>{children(item.tokens as MarkedToken[], language)}</li>
  ));
  if (!token.ordered) return <ul>{items}</ul>;
  return <ol start={token.start === '' ? undefined : token.start}>{items}</ol>;
}

function Code({ token, language }: In<Tokens.Code>) {
  const call = blockCall(token);
  if (call) return <OwnBlock {...call} language={language} />;
  const [program = 'text'] = (token.lang ?? 'text').split(' ');
  const output = program === 'text' ? translatorOf(language, 'docs.article')('output') : undefined;
  return <CodeBlock code={token.text} language={program} title={codeTitle(token) || output} />;
}

function draw(token: MarkedToken, language: DocsLanguage): ReactNode {
  switch (token.type) {
    case 'paragraph':
      return <p>{inline(token.tokens)}</p>;
    case 'list':
      return <List token={token} language={language} />;
    case 'table':
      return <Table token={token} />;
    case 'code':
      return <Code token={token} language={language} />;
    case 'blockquote':
      return <Callout token={token} language={language} />;
    case 'hr':
      return <hr />;
    default:
      return inline([token]);
  }
}

function children(tokens: readonly MarkedToken[], language: DocsLanguage): ReactNode {
  return tokens.map((token, index) => {
    const key = `${index}`;
    return <Fragment key={key}>{draw(token, language)}</Fragment>;
  });
}

function Heading({ token, id }: { token: Tokens.Heading; id: string }) {
  const Tag = token.depth === 2 ? 'h2' : 'h3';
  return (
    <Tag id={id}>
      <a href={`#${id}`} className="docs-anchor">
        {inline(token.tokens)}
      </a>
    </Tag>
  );
}

/** Renders a page's text, which is written in `language`. */
export function Blocks({ blocks, language }: { blocks: readonly Block[]; language: DocsLanguage }) {
  return blocks.map(({ token, id }, index) => {
    const key = id ?? `${index}`;
    if (token.type === 'heading' && id) return <Heading key={key} token={token} id={id} />;
    return <Fragment key={key}>{draw(token, language)}</Fragment>;
  });
}
