'use client';

import { useState } from 'react';
import { useTranslations } from 'use-intl/react';
import type { ProviderChoice } from '#server/auth/providers.ts';
import { BusyButton } from '../../_shared/forms/busy-button.tsx';
import { askNextAuth } from './ask-next-auth.ts';

/** Sign-in by providers that know the person; only the configured ones. */
export function ProviderButtons({
  providers,
  needsCookies,
  returnPath,
}: {
  providers: ProviderChoice[];
  /** The message for a browser that keeps no cookies. */
  needsCookies: string;
  returnPath: string;
}) {
  const script = useTranslations('script');
  const t = useTranslations('dashboard.providers');
  const [isBusy, setBusy] = useState(false);
  const [fault, setFault] = useState<string | null>(null);
  if (providers.length === 0) return null;
  const go = async (id: string) => {
    setBusy(true);
    setFault(null);
    try {
      const url = await askNextAuth(`signin/${id}`, { callbackUrl: returnPath });
      if (url !== null) return window.location.assign(url);
      setFault(needsCookies);
    } catch {
      setFault(script('unreachable'));
    }
    setBusy(false);
  };
  return (
    <div className="needs-script mt-6 grid gap-3">
      <p className="flex items-center gap-3 text-muted text-sm before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
        {t('or')}
      </p>
      {providers.map(({ id, name }) => (
        <BusyButton
          key={id}
          type="button"
          className="button button-plain button-large"
          isBusy={isBusy}
          onClick={() => void go(id)}
        >
          {t('by')} {name}
        </BusyButton>
      ))}
      <div role="alert">{fault && <p className="field-error !mt-0">{fault}</p>}</div>
    </div>
  );
}
