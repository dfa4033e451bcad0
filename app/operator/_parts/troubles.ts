import type { OperatorOverview } from '#server/trpc/rows.ts';

export const CALLBACK_LATE_MS = 60_000;
export const EXPIRY_LATE_MS = 10_000;
const CAPTURE_LATE_MS = 24 * 3_600_000;

/** A trouble that somebody has to look at, by its sentence's name; the worst first. */
export type Trouble =
  | 'noWorker'
  | 'noWeb'
  | 'late'
  | 'expiryLate'
  | 'recoveryFails'
  | 'captureLate'
  | 'paymentsOverdue'
  | 'refundsOverdue'
  | 'booksDiffer'
  | 'fallback'
  | 'silent';

/** Judges the overview. The measure is the README's promises plus some patience. */
export function troublesOf(overview: OperatorOverview): Trouble[] {
  const { backlog, processes, failedRecoveries, pendingCaptures, at } = overview;
  const { overdue, overdueRefunds, booksDiffer } = overview;
  const alive = processes.filter(({ isSilent }) => !isSilent);
  const runs = (kind: 'web' | 'worker') => alive.some((each) => each.kind === kind);
  const judged: [Trouble, boolean][] = [
    ['noWorker', !runs('worker')],
    ['noWeb', !runs('web')],
    ['late', backlog.callbackLagMs > CALLBACK_LATE_MS],
    ['expiryLate', backlog.expiryLagMs > EXPIRY_LATE_MS],
    ['recoveryFails', failedRecoveries.length > 0],
    [
      'captureLate',
      pendingCaptures.some(({ sinceMs }) => at.getTime() - sinceMs > CAPTURE_LATE_MS),
    ],
    ['paymentsOverdue', overdue.count > 0],
    ['refundsOverdue', overdueRefunds.count > 0],
    ['booksDiffer', booksDiffer],
    ['fallback', alive.some(({ driver }) => driver === 'fallback')],
    ['silent', alive.length < processes.length],
  ];
  return judged.filter(([, isSo]) => isSo).map(([trouble]) => trouble);
}
