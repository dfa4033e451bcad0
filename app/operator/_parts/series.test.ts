import { expect, it } from 'vitest';
import { growth, highest, pathOf, sumOfLast } from './series.ts';
import { troublesOf } from './troubles.ts';

const SPAN = { untilMs: 1_000, steps: 4, stepMs: 100 };
const at = (atMs: number, figure: number) => ({ atMs, figure });
const figureOf = ({ figure }: { figure: number }) => figure;

it('the highest of each step is shown, and nothing where nobody took a sample', () => {
  const samples = [at(500, 9), at(650, 1), at(660, 3), at(950, 2), at(1_000, 1)];
  expect(highest(samples, SPAN, figureOf)).toEqual([3, null, null, 2]);
});

it('growth is counted where it was seen, not over a gap, and never below zero', () => {
  const samples = [at(650, 10), at(660, 12), at(860, 20), at(950, 23), at(960, 5)];
  const series = growth(samples, SPAN, figureOf);
  expect(series).toEqual([2, null, null, 3]);
  expect(sumOfLast(series, 2)).toBe(3);
});

it('a gap parts the line, and a single sample is a dot', () => {
  const size = { width: 30, height: 10 };
  expect(pathOf([0, 10, null, 5], size)).toBe('M0.0 10.0L10.0 0.0M30.0 5.0L30.0 5.0');
});

it('of a single step the line goes all along', () => {
  const size = { width: 30, height: 10 };
  expect(pathOf([4], size)).toBe('M0.0 0.0L30.0 0.0');
  expect(pathOf([null], size)).toBe('');
});

const WELL = {
  backlog: {
    callbacksDue: 0,
    callbacksDueIsMore: false,
    callbackLagMs: 0,
    oldestUndeliveredMs: 0,
    oldestUndelivered: null,
    overdueInvoices: 0,
    overdueInvoicesIsMore: false,
    expiryLagMs: 0,
    recoveriesWaiting: 0,
    recoveriesWaitingIsMore: false,
  },
  processes: (['web', 'worker'] as const).map((kind) => ({
    id: kind,
    kind,
    host: 'a',
    pid: 1,
    driver: kind === 'web' ? null : ('embedded' as const),
    startedAtMs: 0,
    lastSeenAtMs: 0,
    isSilent: false,
  })),
  failedRecoveries: [],
  failedRecoveriesIsMore: false,
  pendingCaptures: [],
  overdue: { count: 0, isMore: false },
  overdueRefunds: { count: 0, isMore: false },
  booksDiffer: false,
  samples: [],
  merchants: { active: 1, suspended: 0 },
  at: new Date(0),
};

it('says what is wrong, and nothing when all is well', () => {
  expect(troublesOf(WELL)).toEqual([]);
  expect(troublesOf({ ...WELL, booksDiffer: true })).toEqual(['booksDiffer']);
  const [web, worker] = WELL.processes;
  if (!web || !worker) throw new Error('no processes');
  const silent = { ...WELL, processes: [web, { ...worker, isSilent: true }] };
  expect(troublesOf(silent)).toEqual(['noWorker', 'silent']);
  const late = {
    ...WELL,
    backlog: { ...WELL.backlog, callbackLagMs: 61_000, expiryLagMs: 11_000 },
  };
  expect(troublesOf(late)).toEqual(['late', 'expiryLate']);
  const pendingSince = (hours: number) => {
    const ids = {
      attemptId: 'pay_1',
      invoiceId: 'inv_1',
      merchantId: 'mer_1',
      merchantName: 'Shop',
    };
    const payment = { ...ids, environment: 'production', status: 'capturing' } as const;
    return { ...WELL, pendingCaptures: [{ ...payment, sinceMs: -hours * 3_600_000 }] };
  };
  expect(troublesOf(pendingSince(24))).toEqual([]);
  expect(troublesOf(pendingSince(25))).toEqual(['captureLate']);
});
