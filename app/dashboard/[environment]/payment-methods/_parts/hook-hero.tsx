'use client';

import { useTranslations } from 'use-intl/react';
import { CheckIcon } from '#app/_ui/icons.tsx';
import { PageLink } from '#app/_ui/page-link.tsx';
import { CopyButton } from '../../../_shared/copy-button.tsx';

// The form that stood here is gone, and with it the focus.
const takeFocus = (element: HTMLElement | null) => element?.focus();

/** An account right after it was connected: the address that its acquirer has to know. */
export function HookHero({
  name,
  hookUrl,
  hookPlace,
  list,
}: {
  name: string;
  hookUrl: string;
  hookPlace: string | undefined;
  list: string;
}) {
  const t = useTranslations('acquirers.connected');
  const words = useTranslations('acquirers.account');
  return (
    <section
      ref={takeFocus}
      tabIndex={-1}
      aria-labelledby="connected"
      className="card max-w-2xl p-6 outline-none"
    >
      <h2 id="connected" className="flex items-center gap-2 font-semibold text-lg">
        <CheckIcon className="size-5 shrink-0 text-positive" />
        <span className="min-w-0 [overflow-wrap:anywhere]">{t('title', { name })}</span>
      </h2>
      <p className="mt-4 font-medium text-muted text-sm">{words('hook')}</p>
      <div className="mt-1 flex flex-wrap items-center justify-between gap-3 rounded-xl border border-line bg-sunk p-4">
        <code className="min-w-0 flex-1 basis-60 break-all font-mono">{hookUrl}</code>
        <CopyButton
          text={hookUrl}
          label={words('copy')}
          done={words('copied')}
          of={words('hook')}
        />
      </div>
      <p className="mt-3 font-medium">{hookPlace}</p>
      <p className="mt-1 text-muted">{t('then')}</p>
      <PageLink href={list} className="button button-primary mt-5">
        {t('done')}
      </PageLink>
    </section>
  );
}
