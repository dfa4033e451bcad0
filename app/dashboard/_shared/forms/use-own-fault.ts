'use client';

import { type FormEvent, useEffect, useState } from 'react';
import { scriptWords } from '#app/_ui/script-words.ts';

function wordsFor({ validity, type, minLength, title }: HTMLInputElement): string {
  const { needed, email, url, date, tooShort } = scriptWords().field;
  if (validity.badInput) return date;
  if (validity.valueMissing) return needed;
  if (validity.typeMismatch) return type === 'email' ? email : url;
  return validity.tooShort ? tooShort.replace('{count}', String(minLength)) : title;
}

/**
 * What the browser finds wrong with a field, in our words and in the page instead of its own bubble,
 * until somebody types on. The first of a form's takes the focus, and so is read out.
 *
 * @returns `fault` is for a `FieldFault`, `handlers` are for the input
 */
export function useOwnFault() {
  const [found, setFound] = useState<{ text: string; input: HTMLInputElement } | null>(null);
  useEffect(() => {
    if (found === null) return;
    const { input } = found;
    if (input.form?.querySelector('input:invalid') !== input) return;
    // Nothing folded away can take it.
    input.closest('details')?.setAttribute('open', '');
    input.focus();
  }, [found]);
  const onInvalid = (event: FormEvent<HTMLInputElement>) => {
    event.preventDefault();
    const input = event.currentTarget;
    setFound({ text: wordsFor(input), input });
  };
  return { fault: found?.text, handlers: { onInvalid, onInput: () => setFound(null) } };
}
