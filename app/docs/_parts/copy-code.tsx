'use client';

import { useEffect, useState } from 'react';

const SHOWN_MS = 2_000;

/** Copies what a code block holds and says so, aloud as well. */
export function CopyCode({ text }: { text: string }) {
  const [said, setSaid] = useState<'Copied' | 'Not copied' | null>(null);
  useEffect(() => {
    if (said === null) return;
    const timer = setTimeout(() => setSaid(null), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [said]);
  const copy = async () => {
    try {
      // There is none on a page over plain http.
      await navigator.clipboard.writeText(text);
      setSaid('Copied');
    } catch {
      setSaid('Not copied');
    }
  };
  return (
    <button type="button" className="docs-copy needs-script" onClick={() => void copy()}>
      <span aria-live="polite">{said ?? 'Copy'}</span>
    </button>
  );
}
