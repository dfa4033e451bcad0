'use client';

import { useState } from 'react';

const SHOWN_MS = 2_000;

/** Copies a text and says so, aloud as well. */
export function CopyButton({ text, label, done }: { text: string; label: string; done: string }) {
  const [isDone, setDone] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    setDone(true);
    setTimeout(() => setDone(false), SHOWN_MS);
  };
  return (
    <button type="button" className="button button-plain needs-script" onClick={() => void copy()}>
      <span aria-live="polite">{isDone ? done : label}</span>
    </button>
  );
}
