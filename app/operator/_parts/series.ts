/** Values by equal steps of time, the oldest first; null for a step without a sample. */
export type Series = (number | null)[];

type Sample = { atMs: number };
type Span = { untilMs: number; steps: number; stepMs: number };

function stepOf(atMs: number, { untilMs, steps, stepMs }: Span): number {
  return steps - 1 - Math.floor((untilMs - atMs) / stepMs);
}

/** The highest value of each step: a peak of a minute shows in a picture of a day. */
export function highest<S extends Sample>(
  samples: readonly S[],
  span: Span,
  figureOf: (sample: S) => number,
): Series {
  const series: Series = new Array<number | null>(span.steps).fill(null);
  for (const sample of samples) {
    const step = stepOf(sample.atMs, span);
    if (step < 0 || step >= span.steps) continue;
    series[step] = Math.max(series[step] ?? 0, figureOf(sample));
  }
  return series;
}

/**
 * The growth in each step of a figure that only grows, from sample to sample. Growth in a gap
 * longer than a step is left out, because its time is unknown.
 */
export function growth<S extends Sample>(
  samples: readonly S[],
  span: Span,
  figureOf: (sample: S) => number,
): Series {
  const series: Series = new Array<number | null>(span.steps).fill(null);
  samples.forEach((sample, index) => {
    const previous = samples[index - 1];
    const step = stepOf(sample.atMs, span);
    if (!previous || sample.atMs - previous.atMs > span.stepMs) return;
    if (step < 0 || step >= span.steps) return;
    series[step] = (series[step] ?? 0) + Math.max(0, figureOf(sample) - figureOf(previous));
  });
  return series;
}

/** The sum of a series' last steps. */
export function sumOfLast(series: Series, steps: number): number {
  return series.slice(-steps).reduce<number>((sum, value) => sum + (value ?? 0), 0);
}

/**
 * A series as one or more lines of an SVG path within `width` by `height`; a gap separates lines. A
 * series of one step is a line along the whole width, because the value held the whole time.
 */
export function pathOf(series: Series, size: { width: number; height: number }): string {
  const top = Math.max(1, ...series.map((value) => value ?? 0));
  const stepWidth = size.width / Math.max(1, series.length - 1);
  let isDrawing = false;
  const parts: string[] = [];
  series.forEach((value, index) => {
    if (value === null) {
      isDrawing = false;
      return;
    }
    const x = (index * stepWidth).toFixed(1);
    const y = (size.height - (value / top) * size.height).toFixed(1);
    parts.push(`${isDrawing ? 'L' : 'M'}${x} ${y}`);
    // A single sample is a dot: a line of no length with round ends.
    if (!isDrawing && (series[index + 1] ?? null) === null) {
      parts.push(series.length === 1 ? `L${size.width.toFixed(1)} ${y}` : `L${x} ${y}`);
    }
    isDrawing = true;
  });
  return parts.join('');
}
