'use client';

import { useRouter } from 'next/navigation';
import { startTransition } from 'react';
import { useTranslations } from 'use-intl/react';

/** A fault of ours on one screen; the frame around it stays. */
export function ScreenError({ reset }: { reset: () => void }) {
  const router = useRouter();
  const t = useTranslations('script.screen');
  const load = () =>
    startTransition(() => {
      router.refresh();
      reset();
    });
  return (
    <div role="alert" className="card grid justify-items-center gap-2 px-6 py-14 text-center">
      <h1 className="font-semibold text-lg">{t('title')}</h1>
      <p className="text-muted">{t('text')}</p>
      <button type="button" className="button button-plain mt-3" onClick={load}>
        {t('again')}
      </button>
    </div>
  );
}
