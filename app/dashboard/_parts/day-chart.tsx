'use client';

import { type PointerEvent, useState } from 'react';

export type ChartDay = {
  day: string;
  label: string;
  back: number;
  front: number;
  /** The day and its figures. */
  text: string;
  /** The list that the figures sum. */
  href: string;
};

const WIDTH = 720;
const HEIGHT = 160;

function Bars({ days, chosen }: { days: ChartDay[]; chosen: number | null }) {
  const top = Math.max(1, ...days.map(({ back }) => back));
  const step = WIDTH / days.length;
  const width = Math.max(1, step - Math.min(6, step * 0.25));
  const tall = (value: number): number => (value / top) * HEIGHT;
  const bar = (index: number, value: number, fill: string) => (
    <rect
      x={index * step}
      y={HEIGHT - tall(value)}
      width={width}
      height={tall(value)}
      rx={Math.min(2, width / 3)}
      className={fill}
    />
  );
  return (
    <svg
      aria-hidden="true"
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      className="h-40 w-full"
    >
      {days.map(({ day, back, front }, index) => (
        <g key={day}>
          {index === chosen && (
            <rect
              x={index * step - (step - width) / 2}
              y={0}
              width={step}
              height={HEIGHT}
              className="fill-sunk"
            />
          )}
          {bar(index, back, 'fill-accent/25')}
          {bar(index, front, 'fill-accent')}
        </g>
      ))}
    </svg>
  );
}

/**
 * Bars by day: `back` stands behind `front`, which is a part of it. Below it the figures of the
 * day that a pointer or a finger is at, or to which the arrow keys went; at first the last one.
 * All figures stand in the table that comes with it, too.
 */
export function DayChart({ title, days }: { title: string; days: ChartDay[] }) {
  const [chosen, setChosen] = useState<number | null>(null);
  const index = Math.min(chosen ?? days.length, days.length - 1);
  const shown = days[index];
  const point = (event: PointerEvent<HTMLDivElement>) => {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    const at = Math.floor(((event.clientX - left) / width) * days.length);
    setChosen(Math.max(0, Math.min(days.length - 1, at)));
  };
  return (
    <figure className="min-w-0">
      <div
        className="relative touch-pan-y rounded-md has-focus-visible:outline-3 has-focus-visible:outline-focus has-focus-visible:outline-offset-2"
        onPointerDown={point}
        onPointerMove={point}
      >
        <Bars days={days} chosen={chosen} />
        {/* For the keyboard; a pointer is understood above, bar by bar. */}
        <input
          type="range"
          min={0}
          max={days.length - 1}
          value={index}
          aria-label={title}
          aria-valuetext={shown?.text}
          onFocus={() => setChosen(index)}
          onChange={(event) => setChosen(Number(event.target.value))}
          className="needs-script pointer-events-none absolute inset-0 size-full opacity-0"
        />
      </div>
      <figcaption className="mt-1 grid gap-2">
        <span className="flex justify-between text-muted text-xs">
          <span>{days[0]?.label}</span>
          <span>{days.at(-1)?.label}</span>
        </span>
        {shown && (
          <a href={shown.href} className="link justify-self-start text-sm tabular-nums">
            {shown.text}
          </a>
        )}
      </figcaption>
    </figure>
  );
}
