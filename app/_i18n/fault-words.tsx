'use client';

import { createContext, type ReactNode, useContext } from 'react';

type FaultWords = Record<'error' | 'updated', { title: string; text: string; again: string }>;

const Words = createContext<FaultWords | null>(null);

/** Gives the page for faults its words, because any page may have to render it in the browser. */
export function FaultWordsProvider({
  words,
  children,
}: {
  words: FaultWords;
  children: ReactNode;
}) {
  return <Words value={words}>{children}</Words>;
}

/** The words for the page of faults, in the language of the page that failed. */
export function useFaultWords(): FaultWords {
  const words = useContext(Words);
  if (!words) throw new Error('no FaultWordsProvider is around this page');
  return words;
}
