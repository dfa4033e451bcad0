export const KINDS = ['create', 'status'] as const;
export type Kind = (typeof KINDS)[number];
export const VARIANTS = ['statements', 'bare', 'next', 'alone', 'gateway'] as const;
export type Variant = (typeof VARIANTS)[number];

/** One variant's result in one round. */
export type Sample = {
  variant: Variant;
  kind: Kind;
  round: number;
  perSecond: number;
  p50Ms?: number;
  p99Ms?: number;
  p999Ms?: number;
  /** Processor time for one request, in microseconds. */
  serverUs?: number;
  databaseUs?: number;
};

/** Latencies at a fixed rate of arrivals, counted from each request's due time. */
export type SteadySample = {
  variant: 'bare' | 'gateway';
  kind: Kind;
  arrivalsPerSecond: number;
  p50Ms: number;
  p99Ms: number;
  p999Ms: number;
};

/** The middle value, or the mean of the two in the middle; NaN for none. */
export function median(values: number[]): number {
  const sorted = values.filter((value) => !Number.isNaN(value)).sort((a, b) => a - b);
  const middle = sorted.length / 2;
  const [low, high] = [sorted[Math.ceil(middle) - 1], sorted[Math.floor(middle)]];
  return low === undefined || high === undefined ? Number.NaN : (low + high) / 2;
}

/** The value that this share of all is below; NaN for none. */
export function percentileOf(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/** One variant's samples of one kind, in the order of the rounds. */
export function samplesOf(samples: Sample[], kind: Kind, variant: Variant): Sample[] {
  return samples.filter((sample) => sample.kind === kind && sample.variant === variant);
}

/** The rounds' ratios of one variant to another: absolute figures vary with the machine. */
export function ratiosOf(samples: Sample[], kind: Kind, of: Variant, to: Variant): number[] {
  const others = samplesOf(samples, kind, to);
  return samplesOf(samples, kind, of).map(({ round, perSecond }) => {
    const other = others.find((sample) => sample.round === round);
    return perSecond / (other?.perSecond ?? Number.NaN);
  });
}

/** The slope of y over x: the median over all pairs, which few outliers cannot change. */
export function trend(points: readonly { x: number; y: number }[]): number {
  const slopes = points.flatMap((a, index) =>
    points.slice(index + 1).map((b) => (b.y - a.y) / (b.x - a.x)),
  );
  return median(slopes);
}
