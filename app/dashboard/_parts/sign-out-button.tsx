'use client';

import { useState } from 'react';
import { scriptWords } from '#app/_ui/script-words.ts';
import { BusyButton } from './busy-button.tsx';
import { haveStayed, mayLeave } from './unsaved.ts';

/** It says nothing when a request of its own is refused; whom the session still knows is not out. */
async function isSignedIn(): Promise<boolean> {
  const answer = await fetch('/api/auth/session');
  return !answer.ok || (await answer.text()) !== '{}';
}

/** Ends the session: its row is deleted, so that the cookie is worth nothing any more. */
export function SignOutButton({
  label,
  className = 'w-full rounded-md px-3 py-2 text-left hover:bg-sunk',
}: {
  label: string;
  /** As an item of a menu, unless told otherwise. */
  className?: string;
}) {
  const [isBusy, setBusy] = useState(false);
  const [fault, setFault] = useState<string | null>(null);
  const leave = async () => {
    if (!mayLeave()) return;
    setBusy(true);
    setFault(null);
    try {
      const { signOut } = await import('next-auth/react');
      await signOut({ redirect: false });
      if (await isSignedIn()) throw new Error('still signed in');
      // A full load: nothing of what was shown stays in memory.
      window.location.assign('/dashboard/sign-in');
    } catch {
      haveStayed();
      setFault(scriptWords().unreachable);
      setBusy(false);
    }
  };
  return (
    <>
      <BusyButton type="button" className={className} isBusy={isBusy} onClick={() => void leave()}>
        {label}
      </BusyButton>
      {/* No toast: not every page with this button has a place for them. */}
      <div role="alert">{fault && <p className="field-error !mt-0 px-3 pt-1 pb-2">{fault}</p>}</div>
    </>
  );
}
