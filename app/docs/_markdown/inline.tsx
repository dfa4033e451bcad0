import { Lexer, type MarkedToken, type Token } from 'marked';
import Link from 'next/link';
import { Fragment, type ReactNode } from 'react';

function DocsLink({ href, children }: { href: string; children: ReactNode }) {
  // Pages of ours change without a reload; files, the dashboard and others load anew.
  if (href.startsWith('/docs')) {
    return (
      <Link href={href} prefetch={false} className="link">
        {children}
      </Link>
    );
  }
  return (
    <a href={href} className="link">
      {children}
    </a>
  );
}

function draw(token: MarkedToken): ReactNode {
  switch (token.type) {
    case 'strong':
      return <strong>{inline(token.tokens)}</strong>;
    case 'em':
      return <em>{inline(token.tokens)}</em>;
    case 'codespan':
      return <code className="docs-inline-code">{token.text}</code>;
    case 'br':
      return <br />;
    case 'link':
      // An address that nobody made a link of is an example.
      if (token.raw === token.text) return token.text;
      return <DocsLink href={token.href}>{inline(token.tokens)}</DocsLink>;
    case 'text':
      return token.tokens ? inline(token.tokens) : token.text;
    case 'escape':
      return token.text;
    default:
      // Markup of other kinds is shown as it is written, never as markup.
      return token.raw;
  }
}

/** Draws what stands within a line. */
export function inline(tokens: readonly Token[]): ReactNode {
  return tokens.map((token, index) => {
    // A text has no other order than its own.
    const key = `${index}`;
    return <Fragment key={key}>{draw(token as MarkedToken)}</Fragment>;
  });
}

/** A line of Markdown that stands in a program: code in backticks, mostly. */
export function InlineText({ text }: { text: string }) {
  return inline(Lexer.lexInline(text));
}
