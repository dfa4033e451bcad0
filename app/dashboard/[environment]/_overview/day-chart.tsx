'use client';

import { type PointerEvent, useState } from 'react';
import { EACH_UP_TO, namedDays, type Room } from './chart-scale.ts';

export type ChartDay = {
  day: string;
  label: string;
  back: number;
  front: number;
  /** The day and its figures. */
  text: string;
  /** The list of the invoices that the figures sum. */
  href: string;
};

/** A figure of the scale beside the bars, as written there. */
export type ChartTick = { value: number; text: string };

const WIDTH = 720;
const HEIGHT = 160;
/** Bars have a greatest width, so that one or two days do not become slabs. */
const MOST_WIDE = 64;

function Bars({
  days,
  ticks,
  chosen,
}: {
  days: ChartDay[];
  ticks: ChartTick[];
  chosen: number | null;
}) {
  const top = ticks.at(-1)?.value ?? 1;
  const step = WIDTH / days.length;
  const room = Math.max(1, step - Math.min(6, step * 0.25));
  const width = Math.min(room, MOST_WIDE);
  const tall = (value: number): number => (value / top) * HEIGHT;
  const bar = (index: number, value: number, fill: string) => (
    <rect
      x={index * step + (room - width) / 2}
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
      className="h-40 w-full overflow-visible"
    >
      {chosen !== null && (
        <rect
          x={chosen * step - (step - room) / 2}
          y={0}
          width={step}
          height={HEIGHT}
          className="fill-sunk"
        />
      )}
      {ticks.map(({ value }) => (
        <line
          key={value}
          x1="0"
          x2={WIDTH}
          y1={HEIGHT - tall(value)}
          y2={HEIGHT - tall(value)}
          className="stroke-line"
          vectorEffect="non-scaling-stroke"
        />
      ))}
      {days.map(({ day, back, front }, index) => (
        <g key={day}>
          {bar(index, back, 'fill-accent/40')}
          {bar(index, front, 'fill-accent')}
        </g>
      ))}
    </svg>
  );
}

/** The anchor of a day's name, as a share of the day's width. */
const PLACES = { start: 0, middle: 0.5, end: 1 };

const FROM: Record<Room, string> = {
  any: '',
  some: 'hidden @min-[19rem]:block',
  plenty: 'hidden @xl:block',
};

/** The days below their bars; in a picture, where placing them needs no style. */
function DayNames({ days }: { days: ChartDay[] }) {
  const isFew = days.length <= EACH_UP_TO;
  const name = (index: number, anchor: 'start' | 'middle' | 'end', from = '') => (
    <text
      key={days[index]?.day}
      x={`${((index + PLACES[anchor]) / days.length) * 100}%`}
      y="12"
      textAnchor={anchor}
      className={`fill-muted text-xs ${from}`}
    >
      {days[index]?.label}
    </text>
  );
  // Names at the chart's edges are anchored so that they do not stick out of it.
  const anchorOf = (index: number) => {
    if (days.length === 1) return 'middle';
    if (index === 0) return 'start';
    return index === days.length - 1 ? 'end' : 'middle';
  };
  // The last day's name fits into any chart, the first day's beside it into most.
  const fromOf = (index: number, room: Room) =>
    index === 0 && days.length > 1 ? 'hidden @min-[14rem]:block' : FROM[room];
  return (
    <svg aria-hidden="true" className="mt-1 h-4 w-full overflow-visible">
      <g className={isFew ? '@3xl:hidden' : undefined}>
        {namedDays(days.length).map(({ index, room }) =>
          name(index, anchorOf(index), fromOf(index, room)),
        )}
      </g>
      {isFew && (
        <g className="hidden @3xl:block">{days.map((_, index) => name(index, 'middle'))}</g>
      )}
    </svg>
  );
}

/**
 * Bars by day: `back` stands behind `front`, which is part of it. The figures of one day stand
 * below: of the day under the pointer or finger, or the one that the arrow keys reached, at first
 * the last. The accompanying table also has every figure.
 */
export function DayChart({
  title,
  days,
  ticks,
}: {
  title: string;
  days: ChartDay[];
  /** The figures from zero to the height of the chart. */
  ticks: ChartTick[];
}) {
  const [chosen, setChosen] = useState<number | null>(null);
  const index = Math.min(chosen ?? days.length, days.length - 1);
  const shown = days[index];
  const point = (event: PointerEvent<HTMLDivElement>) => {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    const at = Math.floor(((event.clientX - left) / width) * days.length);
    setChosen(Math.max(0, Math.min(days.length - 1, at)));
  };
  return (
    <figure className="@container min-w-0">
      <div className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-2">
        {/* Half a line taller than the bars at both ends, so that each figure stands at its
            line. */}
        <div
          aria-hidden="true"
          className="-my-1.5 flex flex-col-reverse justify-between text-right text-muted text-xs tabular-nums leading-3"
        >
          {ticks.map(({ value, text }) => (
            <span key={value}>{text}</span>
          ))}
        </div>
        <div
          className="relative touch-pan-y rounded-md has-focus-visible:outline-3 has-focus-visible:outline-focus has-focus-visible:outline-offset-2"
          onPointerDown={point}
          onPointerMove={point}
        >
          <Bars days={days} ticks={ticks} chosen={chosen === null ? null : index} />
          {/* This serves the keyboard; each bar above handles the pointer. */}
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
        <div className="col-start-2">
          <DayNames days={days} />
        </div>
      </div>
      <figcaption className="mt-1">
        {shown && (
          <a href={shown.href} className="link inline-block py-0.5 text-sm tabular-nums">
            {shown.text}
          </a>
        )}
      </figcaption>
    </figure>
  );
}
