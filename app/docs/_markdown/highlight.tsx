import { common, createLowlight } from 'lowlight';
import type { ReactNode } from 'react';

const lowlight = createLowlight(common);

type Node = ReturnType<typeof lowlight.highlight>['children'][number];

// The kinds are few, so that a page is light. Other code is plain text.
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

/** Renders flat where nothing is coloured, and text as it is: all of a page is sent twice. */
function drawInto(drawn: ReactNode[], nodes: readonly Node[]): void {
  for (const node of nodes) {
    const before = drawn.at(-1);
    if (node.type === 'text') {
      if (typeof before === 'string') drawn[drawn.length - 1] = before + node.value;
      else drawn.push(node.value);
    } else if (node.type === 'element') {
      const kind = kindOf(node.properties.className);
      if (kind === undefined) drawInto(drawn, node.children);
      else drawn.push(coloured(drawn.length, kind, node.children));
    }
  }
}

function coloured(key: number, kind: string, nodes: readonly Node[]): ReactNode {
  return (
    <span key={key} className={kind}>
      {draw(nodes)}
    </span>
  );
}

function draw(nodes: readonly Node[]): ReactNode {
  const drawn: ReactNode[] = [];
  drawInto(drawn, nodes);
  return drawn.length === 1 ? drawn[0] : drawn;
}

// The pages' code never changes, and finding its colours takes milliseconds.
const kept = new Map<string, ReactNode>();

/** Code in colours, by classes only: the policy of the pages refuses inline styles. */
export function Highlighted({ code, language }: { code: string; language: string }): ReactNode {
  if (!lowlight.registered(language)) return code;
  const key = `${language} ${code}`;
  const drawn = kept.get(key) ?? draw(lowlight.highlight(language, code).children);
  kept.set(key, drawn);
  return drawn;
}
