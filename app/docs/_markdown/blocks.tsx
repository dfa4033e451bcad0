import type { MarkedToken, Tokens } from 'marked';
import { Fragment, type ReactNode } from 'react';
import { AlertIcon } from '#app/_ui/icons.tsx';
import { CodeBlock } from '../_parts/code-block.tsx';
import { type Block, blockCall, CALLOUT_MARK, codeTitle } from './document.ts';
import { inline } from './inline.tsx';
import { OwnBlock } from './own-block.tsx';

const CALLOUT_NAMES: Record<string, string> = {
  NOTE: 'Note',
  TIP: 'Tip',
  IMPORTANT: 'Important',
  WARNING: 'Careful',
  CAUTION: 'Careful',
};

function Callout({ token }: { token: Tokens.Blockquote }) {
  const kind = CALLOUT_MARK.exec(token.text)?.[1];
  if (kind === undefined) return <blockquote>{children(token.tokens as MarkedToken[])}</blockquote>;
  const name = CALLOUT_NAMES[kind] ?? 'Note';
  return (
    <aside className={`docs-callout docs-callout-${name.toLowerCase()}`}>
      <AlertIcon className="docs-callout-icon size-5" />
      <div>
        <p className="docs-callout-name">{name}</p>
        {children(withoutMark(token.tokens as MarkedToken[]))}
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

function List({ token }: { token: Tokens.List }) {
  const items = token.items.map((item) => (
    <li key={item.raw}>{children(item.tokens as MarkedToken[])}</li>
  ));
  if (!token.ordered) return <ul>{items}</ul>;
  return <ol start={token.start === '' ? undefined : token.start}>{items}</ol>;
}

function Code({ token }: { token: Tokens.Code }) {
  const call = blockCall(token);
  if (call) return <OwnBlock name={call.name} argument={call.argument} />;
  const [language = 'text'] = (token.lang ?? 'text').split(' ');
  return <CodeBlock code={token.text} language={language} title={codeTitle(token) || undefined} />;
}

function draw(token: MarkedToken): ReactNode {
  switch (token.type) {
    case 'paragraph':
      return <p>{inline(token.tokens)}</p>;
    case 'list':
      return <List token={token} />;
    case 'table':
      return <Table token={token} />;
    case 'code':
      return <Code token={token} />;
    case 'blockquote':
      return <Callout token={token} />;
    case 'hr':
      return <hr />;
    default:
      return inline([token]);
  }
}

function children(tokens: readonly MarkedToken[]): ReactNode {
  return tokens.map((token, index) => {
    const key = `${index}`;
    return <Fragment key={key}>{draw(token)}</Fragment>;
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

/** Renders a page's text. */
export function Blocks({ blocks }: { blocks: readonly Block[] }) {
  return blocks.map(({ token, id }, index) => {
    const key = id ?? `${index}`;
    if (token.type === 'heading' && id) return <Heading key={key} token={token} id={id} />;
    return <Fragment key={key}>{draw(token)}</Fragment>;
  });
}
