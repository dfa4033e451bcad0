import type { ReactNode } from 'react';
import type { Series } from './series.ts';
import { Sparkline } from './sparkline.tsx';

/** One figure, its explanation, and its last day as a picture. */
export function FigureTile({
  title,
  value,
  note,
  series,
  picture,
  isBad = false,
}: {
  title: string;
  value: string;
  note: ReactNode;
  series: Series;
  /** The picture's subject and its highest value. */
  picture: string;
  isBad?: boolean;
}) {
  return (
    <section
      className="card grid min-w-0 flex-[1_1_9rem] content-between gap-3 sm:basis-[max(30%,11rem)] p-4 sm:p-5"
      aria-label={title}
    >
      <div>
        <h2 className="text-muted text-sm">{title}</h2>
        <p
          className={`mt-1 font-semibold text-2xl tabular-nums tracking-tight ${isBad ? 'text-negative' : ''}`}
        >
          {value}
        </p>
        <p className="min-h-5 text-muted text-sm [overflow-wrap:anywhere]">{note}</p>
      </div>
      <figure>
        <Sparkline series={series} />
        <figcaption className="mt-1 text-balance text-muted text-xs tabular-nums">
          {picture}
        </figcaption>
      </figure>
    </section>
  );
}
