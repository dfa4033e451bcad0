import type { Invoice } from '#server/invoices/types.ts';
import { isAtWork } from '#server/payments/state.ts';
import type { DeclineReason, PaymentAttempt } from '#server/payments/types.ts';

/** What the last attempt tells the buyer above the form. */
export type FormNotice =
  | {
      kind: 'declined';
      reason: DeclineReason;
      cardBrand: string;
      cardLast4: string;
    }
  /** The acquirer, to which the buyer had gone, did not complete it. */
  | { kind: 'declined_elsewhere'; accountId: string; hasLeft: boolean }
  /** The acquirer's page waits for the buyer. */
  | { kind: 'elsewhere'; accountId: string; url: string }
  | { kind: 'challenge'; url: string }
  | { kind: 'voided' };

/** The state that the page shows. */
export type PayState =
  | { kind: 'form'; notice: FormNotice | null }
  | {
      kind: 'processing';
      /** The account at whose acquirer it is, where that is known. */
      accountId: string | null;
    }
  | { kind: 'paid' }
  | { kind: 'expired'; triedToPay: boolean }
  | { kind: 'canceled'; triedToPay: boolean }
  | { kind: 'unavailable' }
  | {
      kind: 'too_many_attempts';
      /** The address of the last attempt's challenge, if it is still open. */
      challengeUrl: string | null;
      /** UTC ms; null when the invoice ends before, or takes no more. */
      nextTryAtMs: number | null;
    };

/** Whether the buyer can still do something for which the time runs. */
export function isPayable(state: PayState): boolean {
  if (state.kind !== 'too_many_attempts') return state.kind === 'form';
  return state.challengeUrl !== null || state.nextTryAtMs !== null;
}

function noticeOf(attempt: PaymentAttempt | undefined): FormNotice | null {
  switch (attempt?.status) {
    case 'challenge': {
      const { challengeUrl: url, accountId } = attempt;
      if (!url) return null;
      return accountId === null
        ? { kind: 'challenge', url }
        : { kind: 'elsewhere', accountId, url };
    }
    case 'voiding':
    case 'voided':
      return { kind: 'voided' };
    case 'declined':
    case 'abandoned':
    case 'failed':
      if (attempt.accountId !== null) {
        const hasLeft = attempt.status === 'abandoned';
        return { kind: 'declined_elsewhere', accountId: attempt.accountId, hasLeft };
      }
      return {
        kind: 'declined',
        reason: attempt.declineReason ?? 'processing_error',
        cardBrand: attempt.cardBrand ?? '',
        cardLast4: attempt.cardLast4 ?? '',
      };
    default:
      return null;
  }
}

/**
 * Which state an invoice's page is in. Only rows decide: a reload, another tab
 * and another device all show the same.
 *
 * @param attempts newest first
 * @param options.nextTryAtMs when the limits allow another attempt (UTC ms; Infinity: never); null when
 *   they do now
 */
export function stateOf(
  invoice: Pick<Invoice, 'status' | 'captureAttemptId' | 'endDateMs'>,
  attempts: PaymentAttempt[],
  { hasAcquirer, nextTryAtMs }: { hasAcquirer: boolean; nextTryAtMs: number | null },
): PayState {
  const triedToPay = attempts.length > 0;
  switch (invoice.status) {
    case 'PAID':
      return { kind: 'paid' };
    case 'EXPIRED':
      return { kind: 'expired', triedToPay };
    case 'CANCELED':
      return { kind: 'canceled', triedToPay };
    case 'PENDING':
      break;
  }
  if (!hasAcquirer) return { kind: 'unavailable' };
  // The attempts are read after the invoice: one that is captured by then has paid it.
  const moving = attempts.find(({ status }) => isAtWork(status) || status === 'captured');
  if (invoice.captureAttemptId !== null || moving) {
    return { kind: 'processing', accountId: moving?.accountId ?? null };
  }
  const notice = noticeOf(attempts[0]);
  if (nextTryAtMs === null) return { kind: 'form', notice };
  return {
    kind: 'too_many_attempts',
    challengeUrl: notice?.kind === 'challenge' ? notice.url : null,
    nextTryAtMs: nextTryAtMs <= invoice.endDateMs ? nextTryAtMs : null,
  };
}

/**
 * Changes whenever the page would look different: what an open page compares. While two versions of
 * the gateway run beside each other the page of one asks the other, and loads anew where they differ.
 */
export function versionOf(state: PayState, attempts: PaymentAttempt[]): string {
  // Not by their number: of very many only the newest are read.
  const [newest] = attempts;
  const version = [state.kind, newest?.createdAtMs ?? '', newest?.status ?? ''].join('.');
  return newest?.status === 'challenge' && !newest.challengeUrl ? `${version}.no link` : version;
}
