import type { ReactNode } from 'react';
import { ChevronIcon } from '#app/_ui/icons.tsx';

/** The control that unfolds a `details` within a screen, with its sign. */
export function Unfold({ children }: { children: ReactNode }) {
  return (
    <summary className="inline-flex max-w-full items-center gap-0.5 rounded-md py-1 pointer-coarse:py-2.5 font-medium text-accent text-sm hover:text-accent-hover [[open]>&>svg]:rotate-180">
      <span className="min-w-0">{children}</span>
      <ChevronIcon className="size-4 shrink-0 transition-transform" />
    </summary>
  );
}
