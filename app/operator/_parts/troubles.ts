import type { Environment } from '#server/merchants/types.ts';
import type { OperatorOverview, TroubleView } from '#server/trpc/rows.ts';

export const CALLBACK_LATE_MS = 60_000;
export const EXPIRY_LATE_MS = 10_000;

/** A trouble of the gateway itself, by its sentence's name, and since when; null if unknown. */
export type GatewayTrouble = {
  kind: 'noWorker' | 'noWeb' | 'late' | 'expiryLate' | 'workLate' | 'fallback' | 'silent';
  sinceMs: number | null;
  count: number;
  isMore: boolean;
  href: '#processes' | '#figures';
};

/** Judges the gateway itself, the worst first. The measure is its promises plus some patience. */
export function gatewayTroubles({
  backlog,
  processes,
  lateWork,
  at,
}: Pick<OperatorOverview, 'backlog' | 'processes' | 'lateWork' | 'at'>): GatewayTrouble[] {
  const alive = processes.filter(({ isSilent }) => !isSilent);
  const silent = processes.filter(({ isSilent }) => isSilent);
  const runs = (kind: 'web' | 'worker') => alive.some((each) => each.kind === kind);
  const lastSeen = (kind?: 'web' | 'worker') => {
    const times = silent.filter((each) => kind === undefined || each.kind === kind);
    return times.length === 0 ? null : Math.max(...times.map(({ lastSeenAtMs }) => lastSeenAtMs));
  };
  const fallbacks = alive.filter(({ driver }) => driver === 'fallback').length;
  const { callbackLagMs, callbacksDue, callbacksDueIsMore } = backlog;
  const { expiryLagMs, overdueInvoices, overdueInvoicesIsMore } = backlog;
  const judged: [GatewayTrouble['kind'], boolean, number | null, number, boolean][] = [
    ['noWorker', !runs('worker'), lastSeen('worker'), 0, false],
    ['noWeb', !runs('web'), lastSeen('web'), 0, false],
    [
      'late',
      callbackLagMs > CALLBACK_LATE_MS,
      at.getTime() - callbackLagMs,
      callbacksDue,
      callbacksDueIsMore,
    ],
    [
      'expiryLate',
      expiryLagMs > EXPIRY_LATE_MS,
      at.getTime() - expiryLagMs,
      overdueInvoices,
      overdueInvoicesIsMore,
    ],
    [
      'workLate',
      lateWork !== null,
      lateWork?.sinceMs ?? null,
      lateWork?.count ?? 0,
      lateWork?.isMore ?? false,
    ],
    ['fallback', fallbacks > 0, null, fallbacks, false],
    ['silent', silent.length > 0, lastSeen(), silent.length, false],
  ];
  return judged
    .filter(([, isSo]) => isSo)
    .map(([kind, , sinceMs, count, isMore]) => ({
      ...{ kind, sinceMs, count, isMore },
      href: kind === 'late' || kind === 'expiryLate' ? '#figures' : '#processes',
    }));
}

const OPENABLE = /^(?:invoices|callbacks|payment-methods)(?:\/[\w-]+)?(?:\?[\w=&-]+)?$/;

/** A page of the dashboard, without its environment, that an address asks for; null for others. */
export const pageToOpen = (given: string): string | null => (OPENABLE.test(given) ? given : null);

/** The merchant's page, where the operator opens that page of its dashboard. */
export function openHref(merchantId: string, environment: Environment, page: string): string {
  return `/operator/merchants/${merchantId}?${new URLSearchParams({ environment, open: page })}`;
}

/** The operator's own page that lists what a trouble counts. */
export function troubleHref({ kind, environment, merchant, account }: TroubleView): string {
  const acquirers = `/operator/acquirers?${new URLSearchParams({ environment })}`;
  if (kind === 'booksDiffer') return `${acquirers}#differences`;
  if (account) return `${acquirers}#${kind}-${account.id}`;
  return `/operator/merchants/${merchant.id}#troubles-${environment}`;
}

const DASHBOARD_PAGES: Partial<Record<TroubleView['kind'], string>> = {
  accountDown: 'payment-methods',
  booksDiffer: 'payment-methods',
  comparisonFails: 'payment-methods',
  callbacksFailing: 'callbacks?state=pending',
  callbacksExhausted: 'callbacks?state=exhausted',
};

/** The dashboard's page with the cause, without its environment; null where none shows it. */
export function causePage({
  kind,
  invoiceId,
}: Pick<TroubleView, 'kind' | 'invoiceId'>): string | null {
  return DASHBOARD_PAGES[kind] ?? (invoiceId === null ? null : `invoices/${invoiceId}`);
}
