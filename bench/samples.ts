export type Kind = 'create' | 'status';
export type Variant = 'statements' | 'bare' | 'gateway';

/** What one variant did in one round. */
export type Sample = {
  variant: Variant;
  kind: Kind;
  round: number;
  perSecond: number;
  p50Ms?: number;
  p99Ms?: number;
  /** Processor time a request, in microseconds. */
  serverUs?: number;
  databaseUs?: number;
};

function median(values: number[]): number {
  const sorted = values.filter((value) => !Number.isNaN(value)).sort((a, b) => a - b);
  const middle = sorted.length / 2;
  const [low, high] = [sorted[Math.ceil(middle) - 1], sorted[Math.floor(middle)]];
  return low === undefined || high === undefined ? Number.NaN : (low + high) / 2;
}

function samplesOf(samples: Sample[], kind: Kind, variant: Variant): Sample[] {
  return samples.filter((sample) => sample.kind === kind && sample.variant === variant);
}

/** The median of the rounds' ratios of the gateway to another variant. */
export function medianRatio(samples: Sample[], kind: Kind, to: Variant): number {
  const others = samplesOf(samples, kind, to);
  const ratios = samplesOf(samples, kind, 'gateway').map(({ round, perSecond }) => {
    const other = others.find((sample) => sample.round === round);
    return perSecond / (other?.perSecond ?? Number.NaN);
  });
  return median(ratios);
}

const FIELDS = ['perSecond', 'p50Ms', 'p99Ms', 'serverUs', 'databaseUs'] as const;
const HEADINGS = ['', 'per second', 'p50 ms', 'p99 ms', 'server µs', 'database µs', '÷ bare'];
const DIGITS = { perSecond: 0, p50Ms: 1, p99Ms: 1, serverUs: 0, databaseUs: 0 };

function row(samples: Sample[], kind: Kind, variant: Variant): string[] {
  const own = samplesOf(samples, kind, variant);
  const figures = FIELDS.map((field) => {
    const value = median(own.map((sample) => sample[field] ?? Number.NaN));
    return Number.isNaN(value) ? '–' : value.toFixed(DIGITS[field]);
  });
  const bare = samplesOf(samples, kind, 'bare');
  const ratios = own.map((sample) => {
    const other = bare.find(({ round }) => round === sample.round);
    return sample.perSecond / (other?.perSecond ?? Number.NaN);
  });
  return [`${kind}, ${variant}`, ...figures, median(ratios).toFixed(2)];
}

/** A table of medians that a person reads. */
export function summarise(samples: Sample[]): string {
  const rows = [HEADINGS];
  for (const kind of ['create', 'status'] as const) {
    for (const variant of ['statements', 'bare', 'gateway'] as const) {
      rows.push(row(samples, kind, variant));
    }
  }
  const widths = HEADINGS.map((_, column) =>
    Math.max(...rows.map((cells) => cells[column]?.length ?? 0)),
  );
  const lines = rows.map((cells) =>
    cells
      .map((cell, column) =>
        column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0),
      )
      .join('  '),
  );
  return lines.join('\n');
}
