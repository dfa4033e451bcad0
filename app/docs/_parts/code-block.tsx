import { Highlighted } from '../_markdown/highlight.tsx';
import { CopyCode } from './copy-code.tsx';

const NAMES: Record<string, string> = {
  bash: 'Shell',
  http: 'HTTP',
  json: 'JSON',
  sh: 'Shell',
  sql: 'SQL',
  ts: 'TypeScript',
  yaml: 'YAML',
};

/** Code with its name and a button that copies it. */
export function CodeBlock({
  code,
  language,
  title,
  bare = false,
}: {
  code: string;
  language: string;
  /** Replaces the language's name. */
  title?: string;
  /** Whether an enclosing frame has a border already. */
  bare?: boolean;
}) {
  const name = title ?? NAMES[language] ?? language;
  return (
    <figure className={bare ? 'docs-code docs-code-bare' : 'docs-code'}>
      <figcaption>
        <span>{name}</span>
        <CopyCode text={code} />
      </figcaption>
      <pre>
        <code>
          <Highlighted code={code} language={language} />
        </code>
      </pre>
    </figure>
  );
}
