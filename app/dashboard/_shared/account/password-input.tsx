'use client';

import { type ComponentProps, useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { useTranslations } from 'use-intl/react';
import { LabelledInput } from '../forms/labelled-input.tsx';

type Props = Omit<ComponentProps<typeof LabelledInput>, 'type' | 'end'>;

/** A field for a password, with a button that shows what is typed until the form is sent. */
export function PasswordInput({ className = '', ...input }: Props) {
  const t = useTranslations('dashboard.typed');
  const [isShown, setShown] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    const form = button.current?.form;
    // Browsers keep as a password, and not as a word for other forms, only what is hidden.
    const hide = () => setShown(false);
    form?.addEventListener('submit', hide);
    return () => form?.removeEventListener('submit', hide);
  }, []);
  const word = isShown ? t('hide') : t('show');
  const toggle = () => {
    const field = document.activeElement;
    const isTyping = field instanceof HTMLInputElement && field.id === input.id;
    const [start, end] = isTyping ? [field.selectionStart, field.selectionEnd] : [];
    flushSync(() => setShown(!isShown));
    // Not every browser keeps the caret where the type changes.
    if (isTyping) field.setSelectionRange(start ?? null, end ?? null);
  };
  return (
    <div className={className}>
      <LabelledInput
        {...input}
        type={isShown ? 'text' : 'password'}
        autoCapitalize="none"
        autoCorrect="off"
        spellCheck={false}
        className="pr-24"
        end={
          <button
            type="button"
            ref={button}
            aria-label={`${word} ${t('what')}`}
            aria-controls={input.id}
            // Whoever types goes on typing.
            onMouseDown={(event) => event.preventDefault()}
            onClick={toggle}
            className="needs-script absolute inset-y-0 right-0 min-h-11 min-w-11 rounded-(--radius-control) px-3 font-medium text-muted text-sm hover:text-ink"
          >
            {word}
          </button>
        }
      />
    </div>
  );
}
