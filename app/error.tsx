'use client';

import { unstable_isUnrecognizedActionError } from 'next/navigation';
import { useFaultWords } from './_i18n/fault-words.tsx';

/**
 * The last resort for a fault of ours, or for a form whose action an update has removed; a buyer's
 * needs are handled before this.
 */
export default function ErrorPage({ error }: { error: unknown }) {
  const faults = useFaultWords();
  const words = unstable_isUnrecognizedActionError(error) ? faults.updated : faults.error;
  return (
    <main className="mx-auto grid min-h-dvh max-w-xl content-center gap-3 px-6 py-16">
      <div aria-hidden="true" className="frieze absolute inset-x-0 top-0" />
      <h1 className="font-semibold text-3xl tracking-tight">{words.title}</h1>
      <p className="text-muted">{words.text}</p>
      <p className="pt-3">
        <button
          type="button"
          className="button button-primary"
          onClick={() => window.location.reload()}
        >
          {words.again}
        </button>
      </p>
    </main>
  );
}
