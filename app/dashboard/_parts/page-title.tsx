import type { ReactNode } from 'react';

/** The heading of a screen and what can be done on it. */
export function PageTitle({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <header className="mb-5 flex flex-wrap items-center justify-between gap-x-4 gap-y-3">
      <h1 className="font-semibold text-2xl tracking-tight">{title}</h1>
      {children && <div className="flex flex-wrap items-center gap-2">{children}</div>}
    </header>
  );
}
