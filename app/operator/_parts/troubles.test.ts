import { expect, it } from 'vitest';
import type { TroubleView } from '#server/trpc/rows.ts';
import { causePage, gatewayTroubles, troubleHref } from './troubles.ts';

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
  lateWork: null,
  at: new Date(0),
};

const kinds = (state: Parameters<typeof gatewayTroubles>[0]) =>
  gatewayTroubles(state).map(({ kind }) => kind);

it('says of the gateway what is wrong, and nothing when all is well', () => {
  expect(kinds(WELL)).toEqual([]);
  const [web, worker] = WELL.processes;
  if (!web || !worker) throw new Error('no processes');
  const silent = { ...WELL, processes: [web, { ...worker, isSilent: true }] };
  expect(kinds(silent)).toEqual(['noWorker', 'silent']);
  const fallback = { ...WELL, processes: [web, { ...worker, driver: 'fallback' as const }] };
  expect(kinds(fallback)).toEqual(['fallback']);
  const late = { callbackLagMs: 61_000, expiryLagMs: 11_000, overdueInvoices: 7 };
  const behind = { ...WELL, backlog: { ...WELL.backlog, ...late } };
  expect(gatewayTroubles(behind)).toMatchObject([
    { kind: 'late', sinceMs: -61_000, href: '#figures' },
    { kind: 'expiryLate', sinceMs: -11_000, count: 7 },
  ]);
  const lateWork = { count: 3, isMore: false, sinceMs: -5 };
  expect(gatewayTroubles({ ...WELL, lateWork })).toMatchObject([
    { kind: 'workLate', count: 3, sinceMs: -5 },
  ]);
});

const TROUBLE: TroubleView = {
  kind: 'callbacksExhausted',
  environment: 'production',
  merchant: { id: 'mer_1', name: 'Shop' },
  account: null,
  count: 1,
  isMore: false,
  sinceMs: 0,
  invoiceId: 'inv_1',
};
const OF_ACCOUNT = { ...TROUBLE, account: { id: 'acq_1', name: 'Payme' } };

it.each([
  [TROUBLE, '/operator/merchants/mer_1#troubles-production', 'callbacks?state=exhausted'],
  [
    { ...OF_ACCOUNT, kind: 'paymentsOverdue' },
    '/operator/acquirers?environment=production#paymentsOverdue-acq_1',
    'invoices/inv_1',
  ],
  [
    { ...OF_ACCOUNT, kind: 'booksDiffer' },
    '/operator/acquirers?environment=production#differences',
    'payment-methods',
  ],
  [
    { ...TROUBLE, kind: 'recoveryFails' },
    '/operator/merchants/mer_1#troubles-production',
    'invoices/inv_1',
  ],
] as [TroubleView, string, string][])(
  '%o leads to what it counts and to its cause',
  (trouble, href, page) => {
    expect(troubleHref(trouble)).toBe(href);
    expect(causePage(trouble)).toBe(page);
  },
);

it('a trouble that no page of the dashboard shows leads to none', () => {
  expect(causePage({ ...TROUBLE, kind: 'noticesFail', invoiceId: null })).toBeNull();
});
