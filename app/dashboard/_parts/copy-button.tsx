'use client';

import { useState } from 'react';
import { CheckIcon, CopyIcon } from '#app/_ui/icons.tsx';
import { scriptWords } from './script-words.ts';

const SHOWN_MS = 2_000;

type Props = { text: string; label: string; done: string };

/** Copies the text; for two seconds what came of it is said: `done`, or that the browser did not let it. */
function useCopying(text: string, done: string) {
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
  return { said, copy: () => void copy() };
}

/** Copies a text and says so, aloud as well. */
export function CopyButton({ text, label, done }: Props) {
  const { said, copy } = useCopying(text, done);
  return (
    <button type="button" className="button button-plain needs-script" onClick={copy}>
      <span aria-live="polite">{said ?? label}</span>
    </button>
  );
}

/** The same beside an id, as a sign; what came of it is said in words where it failed. */
export function CopySign({ text, label, done }: Props) {
  const { said, copy } = useCopying(text, done);
  return (
    <>
      <button
        type="button"
        aria-label={label}
        title={label}
        onClick={copy}
        className="needs-script grid min-h-7 min-w-7 shrink-0 place-items-center rounded-md text-muted hover:bg-sunk hover:text-ink"
      >
        {said === done ? (
          <CheckIcon className="size-4 text-positive" />
        ) : (
          <CopyIcon className="size-4" />
        )}
      </button>
      <span aria-live="polite" className={said === done ? 'sr-only' : 'shrink-0 text-sm'}>
        {said}
      </span>
    </>
  );
}
