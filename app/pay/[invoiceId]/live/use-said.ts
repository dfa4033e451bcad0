import { useCallback, useState } from 'react';

/**
 * What a status says aloud, and what makes it say something. In another language than it was said in
 * it is silent: nobody wants to hear it once more, nor to read it in a language that the page has left.
 */
export function useSaid(locale: string): [said: string, say: (text: string) => void] {
  const [said, setSaid] = useState({ text: '', locale });
  const say = useCallback((text: string) => setSaid({ text, locale }), [locale]);
  return [said.locale === locale ? said.text : '', say];
}
