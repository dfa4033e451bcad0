'use client';

import { useTranslations } from 'use-intl/react';
import { CheckIcon, CopyIcon } from '#app/_ui/icons.tsx';
import { useCopying } from '#app/_ui/use-copying.ts';

type Props = { text: string; label: string; done: string };

/**
 * Copies a text and announces it.
 *
 * @param of the subject in the button's name, where several with one label stand side by side
 */
export function CopyButton({ text, label, done, of }: Props & { of?: string }) {
  const t = useTranslations('script');
  const { said, copy } = useCopying(text, { done, failed: t('notCopied') });
  return (
    <button
      type="button"
      aria-label={of && `${said ?? label}: ${of}`}
      className="button button-plain needs-script"
      onClick={copy}
    >
      <span aria-live="polite">{said ?? label}</span>
    </button>
  );
}

/** The same as an icon beside an id; a failure is told in words. */
export function CopySign({ text, label, done }: Props) {
  const t = useTranslations('script');
  const { said, copy } = useCopying(text, { done, failed: t('notCopied') });
  return (
    <>
      <button
        type="button"
        aria-label={label}
        title={label}
        onClick={copy}
        className="needs-script grid min-h-7 min-w-7 shrink-0 place-items-center rounded-md text-muted hover:bg-sunk hover:text-ink"
      >
        {said === done ? (
          <CheckIcon className="size-4 text-positive" />
        ) : (
          <CopyIcon className="size-4" />
        )}
      </button>
      <span aria-live="polite" className={said === done ? 'sr-only' : 'shrink-0 text-sm'}>
        {said}
      </span>
    </>
  );
}
