import type { Invoice } from '#server/invoices/types.ts';
import { isAtWork } from '#server/payments/state.ts';
import type { DeclineReason, PaymentAttempt } from '#server/payments/types.ts';

/** The message of the last attempt above the form. */
export type FormNotice =
  | {
      kind: 'declined';
      reason: DeclineReason;
      cardBrand: string;
      cardLast4: string;
    }
  /** The buyer went to the acquirer, which did not complete the payment. */
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
      /** The account of the attempt, where it is known. */
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
      /** UTC ms; null when the invoice ends before then or takes no more attempts. */
      nextTryAtMs: number | null;
    };

/** Whether the buyer can still do something within the time shown. */
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
 * The state of an invoice's page. Only rows decide: a reload, another tab and another device all
 * show the same.
 *
 * @param attempts newest first
 * @param options.nextTryAtMs when the limits allow another attempt (UTC ms; Infinity: never); null
 *   when they allow one now
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
  // The attempts are read after the invoice: an attempt captured by then has paid it.
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
 * A value that changes whenever the page would look different; an open page compares it. While two
 * versions of the gateway run side by side, one's page asks the other and reloads on a difference.
 */
export function versionOf(state: PayState, attempts: PaymentAttempt[]): string {
  // The number of attempts would not do: only the newest of very many are read.
  const [newest] = attempts;
  const version = [state.kind, newest?.createdAtMs ?? '', newest?.status ?? ''].join('.');
  return newest?.status === 'challenge' && !newest.challengeUrl ? `${version}.no link` : version;
}
