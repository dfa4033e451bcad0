import { Lexer, type MarkedToken, type Token } from 'marked';
import Link from 'next/link';
import { Fragment, type ReactNode } from 'react';

function DocsLink({ href, children }: { href: string; children: ReactNode }) {
  // The documentation's pages change without a reload; files and other pages load in full.
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
      // An address without a link's markup is an example.
      if (token.raw === token.text) return token.text;
      return <DocsLink href={token.href}>{inline(token.tokens)}</DocsLink>;
    case 'text':
      return token.tokens ? inline(token.tokens) : token.text;
    case 'escape':
      return token.text;
    default:
      // Other markup is shown as text.
      return token.raw;
  }
}

/** Renders the content of a line. */
export function inline(tokens: readonly Token[]): ReactNode {
  return tokens.map((token, index) => {
    // A text's order never changes.
    const key = `${index}`;
    return <Fragment key={key}>{draw(token as MarkedToken)}</Fragment>;
  });
}

/** A line of Markdown within a program's text: mostly code in backticks. */
export function InlineText({ text }: { text: string }) {
  return inline(Lexer.lexInline(text));
}
