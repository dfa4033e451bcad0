'use client';

import { useRouter } from 'next/navigation';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { useTranslations } from 'use-intl/react';
import type { Environment } from '#server/merchants/types.ts';
import { dashboardClient } from '../../../_shared/client.ts';
import { messageOf } from '../../../_shared/failure-text.ts';
import { showToast } from '../../../_shared/show-toast.ts';
import { scaleLogo } from './scale-logo.ts';

/** Saves a picture as the logo at once, or removes the logo. */
export function LogoField({
  environment,
  logoUrl,
}: {
  environment: Environment;
  logoUrl: string | null;
}) {
  const t = useTranslations('dashboard.settings');
  const router = useRouter();
  const input = useRef<HTMLInputElement>(null);
  const [isBusy, setBusy] = useState(false);

  const save = async (base64: string | null, done: string) => {
    setBusy(true);
    try {
      await dashboardClient(environment).settings.saveLogo.mutate({ base64 });
      showToast(done);
      // The button that removes the logo disappears with it.
      if (base64 === null) input.current?.focus();
      router.refresh();
    } catch (error) {
      showToast(messageOf(error), 'negative');
    }
    setBusy(false);
  };
  const choose = async () => {
    const file = input.current?.files?.[0];
    if (!input.current || !file) return;
    // The input is emptied, so that the same file may be chosen again.
    input.current.value = '';
    setBusy(true);
    const scaled = await scaleLogo(file);
    if (scaled === 'unreadable') showToast(t('logoUnreadable'), 'negative');
    else if (scaled === 'too_big') showToast(t('logoTooBig'), 'negative');
    else await save(scaled, t('logoSaved'));
    setBusy(false);
  };
  // A picture may be chosen before this script has loaded.
  const takeEarlier = useEffectEvent(choose);
  useEffect(() => {
    void takeEarlier();
  }, []);

  return (
    <div>
      <span className="mb-1 block font-medium text-muted text-sm">{t('logo')}</span>
      <div className="flex flex-wrap items-center gap-3">
        {logoUrl && (
          <img
            src={logoUrl}
            alt=""
            className="size-10 rounded-xl border border-line bg-white object-contain"
          />
        )}
        {/* The browser's own button has the browser's language, not the page's. */}
        <input
          ref={input}
          type="file"
          id="logo"
          accept="image/png,image/jpeg,image/webp"
          aria-describedby="logo-hint"
          // `disabled` would take the focus away.
          aria-disabled={isBusy}
          onClick={(event) => isBusy && event.preventDefault()}
          onChange={() => void choose()}
          className="peer sr-only"
        />
        <label
          htmlFor="logo"
          className="button button-plain button-compact peer-aria-disabled:opacity-60 peer-focus-visible:outline-2 peer-focus-visible:outline-accent peer-focus-visible:outline-offset-2"
        >
          {t('chooseLogo')}
        </label>
        {logoUrl && (
          <button
            type="button"
            className="button button-plain button-compact"
            aria-disabled={isBusy}
            onClick={() => isBusy || void save(null, t('logoRemoved'))}
          >
            {t('removeLogo')}
          </button>
        )}
      </div>
      <p id="logo-hint" className="mt-1 text-muted text-sm">
        {t('logoHint')}
      </p>
    </div>
  );
}
