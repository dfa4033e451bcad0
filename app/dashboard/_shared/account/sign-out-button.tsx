'use client';

import { useState } from 'react';
import { useTranslations } from 'use-intl/react';
import { BusyButton } from '../forms/busy-button.tsx';
import { mayLeave } from '../forms/unsaved.ts';
import { signOutFully } from './sign-out.ts';

export function SignOutButton({
  label,
  className = 'w-full rounded-md px-3 py-2 text-left hover:bg-sunk',
}: {
  label: string;
  /** The look; a menu item's by default. */
  className?: string;
}) {
  const t = useTranslations('script');
  const [isBusy, setBusy] = useState(false);
  const [fault, setFault] = useState<string | null>(null);
  const leave = async () => {
    if (!mayLeave()) return;
    setBusy(true);
    setFault(null);
    try {
      await signOutFully();
    } catch {
      setFault(t('unreachable'));
      setBusy(false);
    }
  };
  return (
    <>
      <BusyButton type="button" className={className} isBusy={isBusy} onClick={() => void leave()}>
        {label}
      </BusyButton>
      {/* The fault is not a toast, because some pages with this button have no place for one. */}
      <div role="alert">{fault && <p className="field-error !mt-0 px-3 pt-1 pb-2">{fault}</p>}</div>
    </>
  );
}
