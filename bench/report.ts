import {
  KINDS,
  type Kind,
  median,
  ratiosOf,
  type Sample,
  type SteadySample,
  samplesOf,
  VARIANTS,
  type Variant,
} from './samples.ts';
import { aligned, spreadOf, type Verdict, verdictTable } from './verdicts.ts';

/** The smallest acceptable ratio of the gateway. */
type Bar = { kind: Kind; to: Variant; bar: number };

const BARS: Bar[] = [
  { kind: 'create', to: 'bare', bar: 1.5 },
  { kind: 'status', to: 'bare', bar: 1.7 },
  { kind: 'create', to: 'statements', bar: 0.7 },
  { kind: 'create', to: 'next', bar: 12 },
  { kind: 'status', to: 'next', bar: 12 },
];

/** Each bar beside the measured median of the rounds' ratios, and their spread. */
export function judge(samples: Sample[]): Verdict[] {
  return BARS.map(({ kind, to, bar }) => {
    const ratios = ratiosOf(samples, kind, 'gateway', to);
    const name = `${kind} ÷ ${NAMES[to]}`;
    return { name, measured: median(ratios), spread: spreadOf(ratios), bar, isLimit: false };
  });
}

export const NAMES: Record<Variant, string> = {
  statements: 'statements alone',
  bare: 'node:http + pg',
  next: 'Next + Prisma',
  alone: 'gateway, COALESCE=off',
  gateway: 'gateway',
};

const FIELDS = ['p50Ms', 'p99Ms', 'p999Ms', 'serverUs', 'databaseUs'] as const;
const HEADINGS = [
  ...['', 'per second', 'spread', 'p50 ms', 'p99 ms', 'p99.9 ms'],
  ...['server µs', 'database µs', '÷ bare', '÷ Next + Prisma'],
];
const DIGITS = { p50Ms: 1, p99Ms: 1, p999Ms: 1, serverUs: 0, databaseUs: 0 };

const shown = (value: number, digits: number): string =>
  Number.isNaN(value) ? '-' : value.toFixed(digits);

function row(samples: Sample[], kind: Kind, variant: Variant): string[] {
  const own = samplesOf(samples, kind, variant);
  const speeds = own.map(({ perSecond }) => perSecond);
  return [
    `${kind}, ${NAMES[variant]}`,
    shown(median(speeds), 0),
    `${shown(Math.min(...speeds), 0)} to ${shown(Math.max(...speeds), 0)}`,
    ...FIELDS.map((field) =>
      shown(median(own.map((sample) => sample[field] ?? Number.NaN)), DIGITS[field]),
    ),
    shown(median(ratiosOf(samples, kind, variant, 'bare')), 2),
    shown(median(ratiosOf(samples, kind, variant, 'next')), 1),
  ];
}

/** The text for a person: a table of medians, the steady load, and the bars. */
export function summarise(samples: Sample[], steady: SteadySample[], verdicts: Verdict[]): string {
  const rows = KINDS.flatMap((kind) => VARIANTS.map((variant) => row(samples, kind, variant)));
  const steadyRows = steady.map((each) => [
    `${each.kind}, ${NAMES[each.variant]}`,
    shown(each.arrivalsPerSecond, 0),
    ...[each.p50Ms, each.p99Ms, each.p999Ms].map((value) => shown(value, 1)),
  ]);
  const steadyHeadings = ['steady arrivals', 'per second', 'p50 ms', 'p99 ms', 'p99.9 ms'];
  return [
    aligned([HEADINGS, ...rows]),
    aligned([steadyHeadings, ...steadyRows]),
    verdictTable(verdicts),
  ].join('\n\n');
}
