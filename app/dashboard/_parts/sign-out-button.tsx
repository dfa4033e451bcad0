'use client';

import { useState } from 'react';

/** Ends the session: its row is deleted, so that the cookie is worth nothing any more. */
export function SignOutButton({ label }: { label: string }) {
  const [isBusy, setBusy] = useState(false);
  const leave = async () => {
    setBusy(true);
    const { signOut } = await import('next-auth/react');
    await signOut({ redirect: false });
    // A full load: nothing of what was shown stays in memory.
    window.location.assign('/dashboard/sign-in');
  };
  return (
    <button
      type="button"
      className="w-full rounded-md px-3 py-2 text-left hover:bg-sunk"
      disabled={isBusy}
      onClick={() => void leave()}
    >
      {label}
    </button>
  );
}
