import type { ReactNode } from 'react';

/**
 * The heading of a screen and its actions.
 *
 * @param mark the state of the screen's subject, beside its name
 */
export function PageTitle({
  title,
  mark,
  children,
}: {
  title: string;
  mark?: ReactNode;
  children?: ReactNode;
}) {
  return (
    <header className="mb-5 flex flex-wrap items-center justify-between gap-x-4 gap-y-3">
      <div className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1">
        <h1 className="min-w-0 font-semibold text-2xl tracking-tight [overflow-wrap:anywhere]">
          <bdi>{title}</bdi>
        </h1>
        {mark}
      </div>
      {children && <div className="flex min-w-0 flex-wrap items-center gap-2">{children}</div>}
    </header>
  );
}
