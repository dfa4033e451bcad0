import { useCallback, useState } from 'react';

/**
 * The words that a status announces, and the function that sets them. It is silent in any other
 * language: nobody wants to hear it again, or in a language that the page has left.
 */
export function useSaid(locale: string): [said: string, say: (text: string) => void] {
  const [said, setSaid] = useState({ text: '', locale });
  const say = useCallback((text: string) => setSaid({ text, locale }), [locale]);
  return [said.locale === locale ? said.text : '', say];
}
