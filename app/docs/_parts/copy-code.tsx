'use client';

import { useCopying } from '#app/_ui/use-copying.ts';

/** Copies a code block's content and announces it. */
export function CopyCode({ text }: { text: string }) {
  const { said, copy } = useCopying(text, { done: 'Copied', failed: 'Not copied' });
  return (
    <button type="button" className="docs-copy needs-script" onClick={copy}>
      <span aria-live="polite">{said ?? 'Copy'}</span>
    </button>
  );
}
