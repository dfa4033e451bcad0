import { common, createLowlight } from 'lowlight';
import { Fragment, type ReactNode } from 'react';

const lowlight = createLowlight(common);

type Node = ReturnType<typeof lowlight.highlight>['children'][number];

// Few kinds, so that a page is light: what has none of them is plain text.
const KINDS: Record<string, string> = {
  'hljs-keyword': 'tok-keyword',
  'hljs-literal': 'tok-number',
  'hljs-number': 'tok-number',
  'hljs-string': 'tok-string',
  'hljs-regexp': 'tok-string',
  'hljs-comment': 'tok-comment',
  'hljs-meta': 'tok-keyword',
  'hljs-attr': 'tok-name',
  'hljs-attribute': 'tok-name',
  'hljs-title': 'tok-name',
  'hljs-variable': 'tok-number',
};

function kindOf(classes: unknown): string | undefined {
  if (!Array.isArray(classes)) return undefined;
  return classes.map((name) => KINDS[String(name)]).find((kind) => kind !== undefined);
}

function draw(nodes: readonly Node[]): ReactNode[] {
  return nodes.map((node, index) => {
    // The text of a program has no other order than its own.
    const key = `${index}`;
    if (node.type === 'text') return <Fragment key={key}>{node.value}</Fragment>;
    if (node.type !== 'element') return null;
    const kind = kindOf(node.properties.className);
    const inside = draw(node.children);
    if (kind === undefined) return <Fragment key={key}>{inside}</Fragment>;
    return (
      <span key={key} className={kind}>
        {inside}
      </span>
    );
  });
}

// The code of the pages is always the same, and telling its colours takes milliseconds.
const kept = new Map<string, ReactNode>();

/** Code in colours, by classes only: the policy of the pages refuses inline styles. */
export function Highlighted({ code, language }: { code: string; language: string }): ReactNode {
  if (!lowlight.registered(language)) return code;
  const key = `${language} ${code}`;
  const drawn = kept.get(key) ?? draw(lowlight.highlight(language, code).children);
  kept.set(key, drawn);
  return drawn;
}
