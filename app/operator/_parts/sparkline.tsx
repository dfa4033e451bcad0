import { pathOf, type Series } from './series.ts';

const SIZE = { width: 240, height: 40 };
const MARGIN = 2;

/** A small picture of a figure's course; words stand beside it. */
export function Sparkline({ series }: { series: Series }) {
  // A single value among gaps would be a dot that looks like dirt.
  const isLine = series.length === 1 || series.filter((value) => value !== null).length > 1;
  return (
    <svg
      aria-hidden="true"
      viewBox={`0 ${-MARGIN} ${SIZE.width} ${SIZE.height + 2 * MARGIN}`}
      preserveAspectRatio="none"
      className="h-11 w-full overflow-visible"
    >
      <line
        x1="0"
        x2={SIZE.width}
        y1={SIZE.height}
        y2={SIZE.height}
        className="stroke-line"
        strokeWidth="1"
        vectorEffect="non-scaling-stroke"
      />
      <path
        d={isLine ? pathOf(series, SIZE) : ''}
        fill="none"
        className="stroke-accent"
        strokeWidth="1.75"
        strokeLinecap="round"
        strokeLinejoin="round"
        vectorEffect="non-scaling-stroke"
      />
    </svg>
  );
}
