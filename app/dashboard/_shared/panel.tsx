import type { ReactNode } from 'react';

/**
 * A part of a screen with its own heading.
 *
 * @param id the heading's, unique on a page
 * @param mark stands beside the heading
 */
export function Panel({
  id,
  title,
  mark,
  children,
}: {
  id: string;
  title: string;
  mark?: ReactNode;
  children: ReactNode;
}) {
  return (
    <section aria-labelledby={id} className="card p-5">
      <div className="mb-3 flex flex-wrap items-center gap-x-3 gap-y-1">
        <h2 id={id} className="font-semibold">
          {title}
        </h2>
        {mark}
      </div>
      {children}
    </section>
  );
}

/**
 * Names and values; long ones break instead of widening the page.
 *
 * @param isWide the panel is as wide as the page: they stand side by side where there is room
 */
export function Facts({
  facts,
  isWide = false,
}: {
  facts: { name: string; value: ReactNode }[];
  isWide?: boolean;
}) {
  const columns = isWide ? 'sm:flex sm:flex-wrap' : '';
  return (
    <dl className={`grid gap-x-12 gap-y-3 text-[0.9375rem] ${columns}`}>
      {facts.map(({ name, value }) => (
        <div key={name} className="min-w-0">
          <dt className="text-muted text-sm">{name}</dt>
          <dd className="break-words [overflow-wrap:anywhere]">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
