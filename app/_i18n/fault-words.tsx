'use client';

import { createContext, type ReactNode, useContext } from 'react';

type FaultWords = Record<'error' | 'updated', { title: string; text: string; again: string }>;

const Words = createContext<FaultWords | null>(null);

/** Gives the page for faults its words: it is written in the browser, on any page. */
export function FaultWordsProvider({
  words,
  children,
}: {
  words: FaultWords;
  children: ReactNode;
}) {
  return <Words value={words}>{children}</Words>;
}

/** The words of the page for faults, in the language of the page that failed. */
export function useFaultWords(): FaultWords {
  const words = useContext(Words);
  if (!words) throw new Error('no FaultWordsProvider is around this page');
  return words;
}
