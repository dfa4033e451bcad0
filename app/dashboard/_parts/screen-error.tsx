'use client';

import { useRouter } from 'next/navigation';
import { startTransition } from 'react';
import { en } from '../_i18n/en.ts';
import { ru } from '../_i18n/ru.ts';

/** A fault of ours on one screen; the frame around it stays. */
export function ScreenError({ reset }: { reset: () => void }) {
  const router = useRouter();
  const isRussian = globalThis.document?.documentElement.lang === 'ru';
  const { failed } = isRussian ? ru : en;
  const again = () =>
    startTransition(() => {
      router.refresh();
      reset();
    });
  return (
    <div role="alert" className="card grid justify-items-center gap-2 px-6 py-14 text-center">
      <p className="font-semibold text-lg">{failed.title}</p>
      <p className="text-muted">{failed.text}</p>
      <button type="button" className="button button-plain mt-3" onClick={again}>
        {failed.again}
      </button>
    </div>
  );
}
