import type { ReactNode } from 'react';
import { ChevronIcon } from '#app/_ui/icons.tsx';

/** A field that few fill in: a phone shows its name, and the field after a press. */
export function FoldedOnPhone({
  words,
  isOpen,
  children,
}: {
  words: { label: string; optional: string };
  /** Whether it starts open. */
  isOpen: boolean;
  children: ReactNode;
}) {
  return (
    <details open={isOpen} className="group/fold sm:unfolded">
      <summary className="flex min-h-9 list-none items-center gap-2 rounded text-[0.9375rem] group-open/fold:sr-only">
        <span className="font-semibold">{words.label}</span>
        <span className="text-muted text-sm">{words.optional}</span>
        <ChevronIcon className="ml-auto size-5 shrink-0 text-muted" />
      </summary>
      {children}
    </details>
  );
}
