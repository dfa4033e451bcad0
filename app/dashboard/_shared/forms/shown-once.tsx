'use client';

import { CopyButton } from '../copy-button.tsx';

// The pressed button may be gone, and nothing else would announce the secret.
const takeFocus = (element: HTMLElement | null) => element?.focus();

/** A secret just after its making: it cannot be seen again. It takes the focus. */
export function ShownOnce({
  value,
  note,
  copy,
  copied,
}: {
  value: string;
  note: string;
  copy: string;
  copied: string;
}) {
  return (
    <section
      // Each secret takes the focus.
      key={value}
      ref={takeFocus}
      tabIndex={-1}
      aria-label={note}
      className="rounded-xl border border-caution-line bg-caution-soft p-4"
    >
      <p className="font-medium">{note}</p>
      <div className="mt-2 flex flex-wrap items-center gap-3">
        <code className="min-w-0 break-all rounded-lg bg-surface px-3 py-2 font-mono text-sm">
          {value}
        </code>
        <CopyButton text={value} label={copy} done={copied} />
      </div>
    </section>
  );
}
