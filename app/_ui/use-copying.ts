'use client';

import { useEffect, useState } from 'react';

const SHOWN_MS = 2_000;

/**
 * Copies the text. The outcome shows for two seconds after the last press: `done`, or `failed`
 * where the browser did not allow it.
 */
export function useCopying(
  text: string,
  { done, failed }: { done: string; failed: string },
): { said: string | null; copy: () => void } {
  // Each press makes a new object, so that the time starts again even with the same words.
  const [outcome, setOutcome] = useState<{ text: string } | null>(null);
  useEffect(() => {
    if (outcome === null) return;
    const timer = setTimeout(() => setOutcome(null), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [outcome]);
  const copy = async () => {
    try {
      // A page over plain http has no clipboard.
      await navigator.clipboard.writeText(text);
      setOutcome({ text: done });
    } catch {
      setOutcome({ text: failed });
    }
  };
  return { said: outcome?.text ?? null, copy: () => void copy() };
}
