import type { ReactNode } from 'react';
import { Unfold } from './unfold.tsx';

/** The filters of a list, folded away until one of them is set. */
export function FilterFold({
  t,
  isOpen,
  path,
  children,
}: {
  t: { filters: string; apply: string; clear: string };
  isOpen: boolean;
  /** Of the list without filters. */
  path: string;
  children: ReactNode;
}) {
  return (
    <details open={isOpen}>
      <Unfold>{t.filters}</Unfold>
      {children}
      <div className="mt-3 flex flex-wrap items-center gap-4">
        <button type="submit" className="button button-primary button-compact">
          {t.apply}
        </button>
        <a href={path} className="link-quiet py-2">
          {t.clear}
        </a>
      </div>
    </details>
  );
}
