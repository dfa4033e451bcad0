'use client';

import { type ComponentProps, useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { useTranslations } from 'use-intl/react';
import { LabelledInput } from '../forms/labelled-input.tsx';

type Props = Omit<ComponentProps<typeof LabelledInput>, 'type' | 'end'>;

/** A password field, with a button that shows the text until the form is sent. */
export function PasswordInput({ className = '', ...input }: Props) {
  const t = useTranslations('dashboard.typed');
  const [isShown, setShown] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    const form = button.current?.form;
    // Browsers keep only a hidden text as a password, and not as a suggestion for other forms.
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
    // Some browsers lose the caret when the type changes.
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
            // The button does not take the focus, so that typing can go on.
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
