'use client';

import { useState } from 'react';
import { scriptWords } from './script-words.ts';

const SHOWN_MS = 2_000;

/** Copies a text and says so, aloud as well; or that the browser did not let it. */
export function CopyButton({ text, label, done }: { text: string; label: string; done: string }) {
  const [said, setSaid] = useState<string | null>(null);
  const copy = async () => {
    try {
      // There is none on a page over plain http.
      await navigator.clipboard.writeText(text);
      setSaid(done);
    } catch {
      setSaid(scriptWords().notCopied);
    }
    setTimeout(() => setSaid(null), SHOWN_MS);
  };
  return (
    <button type="button" className="button button-plain needs-script" onClick={() => void copy()}>
      <span aria-live="polite">{said ?? label}</span>
    </button>
  );
}
