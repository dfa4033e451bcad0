import { isolated } from '#app/_i18n/isolated.ts';
import type { Translator } from '#server/i18n/translator.ts';
import type { PayState } from '../state.ts';

/** What a screen reader is told when an open page has come to this state. */
export function announcementOf(t: Translator<'pay'>, state: PayState): string {
  switch (state.kind) {
    case 'form':
      switch (state.notice?.kind) {
        case undefined:
          return t('form.title');
        case 'challenge':
          return t('openChallenge.title');
        case 'elsewhere':
          return t('methods.choose');
        default:
          return t('declined.title');
      }
    case 'processing':
      return t('processing.title');
    case 'paid':
      return t('paid.title');
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

/** The title of the browser's tab: the state first, where there is something to tell. */
export function pageTitleOf(
  t: Translator<'pay'>,
  { state, merchant }: { state: PayState; merchant: { name: string } },
): string {
  const name = isolated(merchant.name);
  if (state.kind === 'form' && state.notice === null) return t('pageTitle', { merchant: name });
  return `${announcementOf(t, state)} · ${name}`;
}
