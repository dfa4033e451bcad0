'use client';

import { type FormEvent, type KeyboardEvent, useEffect, useState } from 'react';
import { useTranslations } from 'use-intl/react';
import type { Translator } from '#server/i18n/translator.ts';
import { foldTyped } from '#server/lib/typed-text.ts';

function wordsFor(
  { validity, type, minLength, title }: HTMLInputElement,
  t: Translator<'script.field'>,
): string {
  if (validity.badInput) return t('date');
  if (validity.valueMissing) return t('needed');
  if (validity.typeMismatch) return t(type === 'email' ? 'email' : 'url');
  return validity.tooShort ? t('tooShort', { count: minLength }) : title;
}

/** The browser refuses full-width or invisible characters in an address, so they are folded. */
function foldAddress(input: HTMLInputElement): void {
  const folded = foldTyped(input.value);
  if (input.type === 'email' && folded !== input.value) input.value = folded;
}

/**
 * The browser's fault in a field, in our words and in the page, until somebody types on. The form's
 * first faulty field takes the focus, and so is read out.
 *
 * @param takes whether the server accepts the text; if not, the field's title describes what it
 *   would
 * @returns `fault` is for a `FieldFault`, `handlers` are for the input
 */
export function useOwnFault(takes: (text: string) => boolean = () => true) {
  const t = useTranslations('script.field');
  const [found, setFound] = useState<{ text: string; input: HTMLInputElement } | null>(null);
  useEffect(() => {
    if (found === null) return;
    const { input } = found;
    if (input.form?.querySelector('input:invalid') !== input) return;
    // A hidden field cannot take the focus.
    input.closest<HTMLElement>('[popover]')?.showPopover();
    input.closest('details')?.setAttribute('open', '');
    input.focus();
  }, [found]);
  const onInvalid = (event: FormEvent<HTMLInputElement>) => {
    event.preventDefault();
    const input = event.currentTarget;
    // Text typed before the script loaded has not been folded yet.
    foldAddress(input);
    if (input.validity.valid) input.form?.requestSubmit();
    else setFound({ text: wordsFor(input, t), input });
  };
  const onInput = ({ currentTarget: input }: FormEvent<HTMLInputElement>) => {
    setFound(null);
    input.setCustomValidity(takes(input.value) ? '' : input.title);
  };
  const onBlur = ({ currentTarget: input }: FormEvent<HTMLInputElement>) => foldAddress(input);
  const onKeyDown = ({ key, currentTarget: input }: KeyboardEvent<HTMLInputElement>) => {
    if (key === 'Enter') foldAddress(input);
  };
  return { fault: found?.text, handlers: { onInvalid, onInput, onBlur, onKeyDown } };
}
