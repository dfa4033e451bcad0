import type { ReactNode } from 'react';

/** A screen or a panel that has nothing to show, and why. */
export function Notice({
  title,
  text,
  children,
}: {
  title: string;
  text?: string;
  children?: ReactNode;
}) {
  return (
    <div className="card grid justify-items-center gap-2 px-6 py-14 text-center">
      <p className="font-semibold text-lg">{title}</p>
      {text && <p className="max-w-prose text-muted">{text}</p>}
      {children}
    </div>
  );
}
