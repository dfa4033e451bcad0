import { isolated } from '#app/_i18n/isolated.ts';
import type { Translator } from '#server/i18n/translator.ts';
import { refundedMinor } from '#server/refunds/types.ts';
import type { LoadedInvoice } from '../loader.ts';
import type { FormNotice, PayState } from '../state.ts';

/** The name of the acquirer that completes a payment; null without one. */
export function methodAt(
  { accountId }: Extract<PayState, { kind: 'processing' }>,
  names: LoadedInvoice['accountNames'],
): string | null {
  return (accountId !== null && names[accountId]) || null;
}

/** The title of a paid invoice, all of which may be back with the buyer. */
export function paidTitle(
  t: Translator<'pay'>,
  { invoice, refunds }: Pick<LoadedInvoice, 'invoice' | 'refunds'>,
): string {
  const isBack = refundedMinor(refunds, 'SUCCEEDED') === invoice.amountMinor;
  return isBack ? t('refund.title') : t('paid.title');
}

/** The heading of what became of the last payment, for as long as another one is possible. */
export function noticeTitle(
  t: Translator<'pay'>,
  notice: Exclude<FormNotice, { kind: 'challenge' | 'elsewhere' }>,
): string {
  if (notice.kind === 'voided') return t('declined.left');
  if (notice.kind === 'declined_elsewhere')
    return t(notice.hasLeft ? 'declined.left' : 'declined.payment');
  return t(notice.reason === 'challenge_abandoned' ? 'declined.left' : 'declined.title');
}

/** The message to a screen reader when an open page reaches this state. */
export function announcementOf(
  t: Translator<'pay'>,
  loaded: Pick<LoadedInvoice, 'state' | 'methods' | 'accountNames' | 'invoice' | 'refunds'>,
): string {
  const { state, methods, accountNames } = loaded;
  switch (state.kind) {
    case 'form':
      if (state.notice === null)
        return t(methods.some(({ kind }) => kind === 'account') ? 'methods.choose' : 'form.title');
      switch (state.notice.kind) {
        case 'challenge':
          return t('openChallenge.title');
        case 'elsewhere':
          return t('methods.openTitle', { method: accountNames[state.notice.accountId] ?? '' });
        default:
          return noticeTitle(t, state.notice);
      }
    case 'processing': {
      const method = methodAt(state, accountNames);
      return method === null ? t('processing.title') : t('methods.heldTitle', { method });
    }
    case 'paid':
      return paidTitle(t, loaded);
    case 'expired':
      return t('expired.title');
    case 'canceled':
      return t('canceled.title');
    case 'unavailable':
      return t('unavailable.title');
    case 'too_many_attempts':
      return t('tooMany.title');
  }
}

/** The title of the browser's tab: the state first, if there is news. */
export function pageTitleOf(t: Translator<'pay'>, loaded: LoadedInvoice): string {
  const { state, merchant } = loaded;
  const name = isolated(merchant.name);
  if (state.kind === 'form' && state.notice === null) return t('pageTitle', { merchant: name });
  return `${announcementOf(t, loaded)} · ${name}`;
}
