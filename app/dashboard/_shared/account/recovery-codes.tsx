'use client';

import { useEffect, useId, useRef } from 'react';
import { useTranslations } from 'use-intl/react';
import { CopyButton } from '../copy-button.tsx';

const FILE_NAME = 'recovery-codes.txt';

function download(text: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type: 'text/plain' }));
  link.download = FILE_NAME;
  link.click();
  URL.revokeObjectURL(link.href);
}

/** Recovery codes just after their making: they cannot be seen again. They take the focus. */
export function RecoveryCodes({ codes, onKept }: { codes: readonly string[]; onKept: () => void }) {
  const t = useTranslations('dashboard.secondFactor');
  const id = useId();
  const section = useRef<HTMLElement>(null);
  // The form that had the focus is gone, and nothing else would announce the codes.
  useEffect(() => section.current?.focus(), []);
  const text = `${codes.join('\n')}\n`;
  return (
    <section
      ref={section}
      tabIndex={-1}
      aria-label={t('codesTitle')}
      aria-describedby={`${id}-text`}
      className="rounded-xl border border-caution-line bg-caution-soft p-4"
    >
      <p className="font-semibold">{t('codesTitle')}</p>
      <p id={`${id}-text`} className="mt-1 text-[0.9375rem]">
        {t('codesText')}
      </p>
      <ul className="mt-3 grid gap-x-6 gap-y-1 rounded-lg bg-surface p-4 font-mono text-sm sm:grid-cols-2">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="mt-3 flex flex-wrap gap-2">
        <CopyButton text={text} label={t('copy')} done={t('copied')} />
        <button type="button" className="button button-plain" onClick={() => download(text)}>
          {t('download')}
        </button>
        <button type="button" className="button button-primary" onClick={onKept}>
          {t('kept')}
        </button>
      </div>
    </section>
  );
}
