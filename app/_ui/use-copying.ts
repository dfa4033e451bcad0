'use client';

import { useEffect, useState } from 'react';

const SHOWN_MS = 2_000;

/**
 * Copies the text; for two seconds from the last press what came of it is said: `done`, or `failed`
 * where the browser did not let it.
 */
export function useCopying(
  text: string,
  { done, failed }: { done: string; failed: string },
): { said: string | null; copy: () => void } {
  // An object, new at each press: its time begins anew where the words are the same.
  const [outcome, setOutcome] = useState<{ text: string } | null>(null);
  useEffect(() => {
    if (outcome === null) return;
    const timer = setTimeout(() => setOutcome(null), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [outcome]);
  const copy = async () => {
    try {
      // There is none on a page over plain http.
      await navigator.clipboard.writeText(text);
      setOutcome({ text: done });
    } catch {
      setOutcome({ text: failed });
    }
  };
  return { said: outcome?.text ?? null, copy: () => void copy() };
}
