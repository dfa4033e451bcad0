'use client';

import { useLocale, useTranslations } from 'use-intl/react';
import { useCopying } from '#app/_ui/use-copying.ts';

/** Copies a code block's content and announces it. */
export function CopyCode({ text }: { text: string }) {
  const t = useTranslations('docs.frame');
  const { said, copy } = useCopying(text, { done: t('copied'), failed: t('notCopied') });
  return (
    // The text around it may be in another language.
    <button type="button" lang={useLocale()} className="docs-copy needs-script" onClick={copy}>
      <span aria-live="polite">{said ?? t('copy')}</span>
    </button>
  );
}
