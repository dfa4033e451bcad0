import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { isValidElement, type ReactElement, type ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { projectRoot } from '#server/settings/settings.ts';
import { Highlighted } from './highlight.tsx';

const SAMPLES = path.join(projectRoot(), 'public', 'samples');
const LANGUAGES: Record<string, string> = {
  '.mjs': 'js',
  '.py': 'python',
  '.go': 'go',
  '.php': 'php',
};
const codes = readdirSync(SAMPLES).flatMap((name) => {
  const language = LANGUAGES[path.extname(name)];
  return language ? [{ name, language, code: readFileSync(path.join(SAMPLES, name), 'utf8') }] : [];
});

const UNESCAPED: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#x27': "'" };

type Coloured = ReactElement<{ className?: string; children: ReactNode }>;

/** Checks that the browser gets only what it needs, each element once for each place. */
function expectLean(node: ReactNode): void {
  const parts = Array.isArray(node) ? node : [node];
  const elements = parts.filter((part): part is Coloured => isValidElement(part));
  expect(new Set(elements.map(({ key }) => key)).size).toBe(elements.length);
  for (const [index, part] of parts.entries()) {
    if (typeof part === 'string') expect(typeof parts[index + 1]).not.toBe('string');
  }
  for (const { props } of elements) {
    expect(props.className).toMatch(/^tok-/);
    expectLean(props.children);
  }
}

test.each(codes)(
  '$name keeps its text in colours, in as few parts as there are colours',
  (sample) => {
    const drawn = Highlighted(sample);
    const html = renderToStaticMarkup(drawn);
    expect(html).toContain('<span class="tok-');
    const text = html
      .replace(/<[^>]+>/g, '')
      .replace(/&([^;]+);/g, (_, name) => UNESCAPED[name] ?? '?');
    expect(text).toBe(sample.code);
    expectLean(drawn);
  },
);
