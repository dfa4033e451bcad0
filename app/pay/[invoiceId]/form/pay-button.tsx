'use client';

import { useEffect, useState } from 'react';
import { Spinner } from '#app/_ui/icons.tsx';
import type { Messages } from '#server/i18n/translator.ts';

const SLOW_AFTER_MS = 5_000;

/** Whether `active` has lasted long enough to ask for patience. */
function useSlow(active: boolean): boolean {
  const [slow, setSlow] = useState(false);
  useEffect(() => {
    if (!active) return;
    const timer = setTimeout(() => setSlow(true), SLOW_AFTER_MS);
    return () => {
      clearTimeout(timer);
      setSlow(false);
    };
  }, [active]);
  return slow;
}

/** The one button; it says on the screen and to a screen reader that it works. */
export function PayButton({
  label,
  busy,
  t,
}: {
  label: string;
  busy: boolean;
  t: Messages['pay']['form'];
}) {
  const slow = useSlow(busy);
  return (
    <div>
      <button
        type="submit"
        className="button button-primary button-large max-sm:min-h-12"
        disabled={busy}
      >
        {busy && <Spinner />}
        <span>{busy ? t.paying : label}</span>
      </button>
      <p role="status" className={slow ? 'pt-3 text-center text-muted text-sm' : 'sr-only'}>
        {busy && (slow ? t.stillPaying : t.payingStatus)}
      </p>
    </div>
  );
}
